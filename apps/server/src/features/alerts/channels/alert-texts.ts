import { formatText, type Locale, type Text } from '@pult/contract';
import { formatMailTime } from '../../../platform/mail/index.ts';
import type { AlertMessage, Message } from '../message.ts';
import type { AlertedController } from '../offline-detection.repository.ts';

/** Controllers that a message to people names; of others it says how many. */
const namedLimit = 20;
/** Groups that it lists, likewise. */
const groupLimit = 20;

const texts = {
  fired: {
    kind: 'alerts-fired',
    one: {
      ru: 'Контроллер {serialNumber} не в сети — {organization}',
      en: 'Controller {serialNumber} is offline – {organization}',
    },
    many: {
      ru: 'Не в сети контроллеров: {count} — {organization}',
      en: '{count} controllers are offline – {organization}',
    },
    lead: {
      ru: 'Дольше {minutes} мин нет связи с контроллерами организации «{organization}»: {count}.',
      en: 'Controllers of “{organization}” that have not been seen for over {minutes} min: {count}.',
    },
    line: { ru: '{name} — не в сети с {offlineSince} UTC', en: '{name} – offline since {offlineSince} UTC' },
  },
  resolved: {
    kind: 'alerts-resolved',
    one: {
      ru: 'Контроллер {serialNumber} снова в сети — {organization}',
      en: 'Controller {serialNumber} is back online – {organization}',
    },
    many: {
      ru: 'Снова в сети контроллеров: {count} — {organization}',
      en: '{count} controllers are back online – {organization}',
    },
    lead: {
      ru: 'Контроллеры организации «{organization}», с которыми восстановилась связь: {count}.',
      en: 'Controllers of “{organization}” that are back online: {count}.',
    },
    line: {
      ru: '{name} — не было связи с {offlineSince} до {resolvedAt} UTC',
      en: '{name} – was offline from {offlineSince} to {resolvedAt} UTC',
    },
  },
  traffic: {
    kind: 'alerts-traffic',
    one: {
      ru: 'Контроллер {serialNumber}: израсходовано {percent} % лимита трафика — {organization}',
      en: 'Controller {serialNumber}: {percent}% of the traffic budget used – {organization}',
    },
    many: {
      ru: 'Лимит трафика на исходе у контроллеров: {count} — {organization}',
      en: '{count} controllers are near their traffic budgets – {organization}',
    },
    lead: {
      ru: 'Контроллеры организации «{organization}», израсходовавшие за этот месяц (UTC) 80 % лимита трафика или весь: {count}. Связь не отключается.',
      en: 'Controllers of “{organization}” that have used 80% of their traffic budgets of this month (UTC), or all: {count}. Their connections stay.',
    },
    line: {
      ru: '{name} — {used} из {budget} МБ ({percent} %)',
      en: '{name} – {used} of {budget} MB ({percent}%)',
    },
  },
} as const;

export const textsOf = {
  'alerts.fired': texts.fired,
  'alerts.resolved': texts.resolved,
  'alerts.traffic': texts.traffic,
} as const;

/** As in the console, where a megabyte has 1,024 kilobytes. */
function toMegabytes(bytes: number | null): string {
  return String(Math.round((bytes ?? 0) / 1024 ** 2));
}

function toPercent({ bytes, budget }: Pick<AlertedController, 'bytes' | 'budget'>): string {
  return String(Math.floor(((bytes ?? 0) / (budget ?? 1)) * 100));
}

const group: Text = { ru: 'Группа «{name}»: {count}', en: 'Group “{name}”: {count}' };
const noGroup: Text = { ru: 'Без группы: {count}', en: 'No group: {count}' };
const moreControllers: Text = { ru: 'и ещё {count}', en: 'and {count} more' };
const moreGroups: Text = { ru: 'Ещё групп: {count}', en: 'Further groups: {count}' };
export const open: Text = { ru: 'Открыть оповещения', en: 'Open the alerts' };
/** What a value that others have written has to become, so that a chat takes no part of it for a command or a mark. */
export type Quote = (value: string) => string;

const asItIs: Quote = (value) => value;

function describe(controller: AlertedController, line: Text, locale: Locale, quote: Quote): string {
  const { serialNumber, description, offlineSince, resolvedAt, bytes, budget } = controller;
  return formatText(line, locale, {
    name: quote(description === '' ? serialNumber : `${serialNumber} (${description.replace(/\s+/g, ' ')})`),
    offlineSince: offlineSince === null ? '' : formatMailTime(offlineSince),
    resolvedAt: resolvedAt === null ? '' : formatMailTime(resolvedAt),
    used: toMegabytes(bytes),
    budget: toMegabytes(budget),
    percent: toPercent(controller),
  });
}

/** A paragraph for each group: how many, and the first of them by name. */
export function listGroups(
  { groups, controllers }: AlertMessage,
  line: Text,
  locale: Locale,
  quote: Quote = asItIs,
): string[] {
  let namesLeft = namedLimit;
  const paragraphs = groups.slice(0, groupLimit).map(({ id, name, count }) => {
    const named = controllers.filter(({ groupId }) => groupId === id).slice(0, namesLeft);
    namesLeft -= named.length;
    const rest = count - named.length;
    return [
      formatText(name === null ? noGroup : group, locale, { name: quote(name ?? ''), count }),
      ...named.map((controller) => describe(controller, line, locale, quote)),
      ...(rest > 0 && named.length > 0 ? [formatText(moreControllers, locale, { count: rest })] : []),
    ].join('\n');
  });
  const rest = groups.length - paragraphs.length;
  return rest > 0 ? [...paragraphs, formatText(moreGroups, locale, { count: rest })] : paragraphs;
}

/** The values of a message's subject and lead. */
export function listValues(message: Message, quote: Quote = asItIs) {
  const { rule } = message;
  const values = { organization: quote(rule.organization.name), minutes: rule.minutes };
  if (message.kind === 'test') return values;
  const [first] = message.controllers;
  return {
    ...values,
    count: message.count,
    serialNumber: quote(first?.serialNumber ?? ''),
    percent: first ? toPercent(first) : '',
  };
}
