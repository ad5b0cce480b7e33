import { formatText, type Locale, type Text } from '@pult/contract';
import type { OutgoingMail } from '../../platform/mail/index.ts';
import type { Message, MessageRule } from './message.ts';
import type { AlertedController } from './offline-detection.repository.ts';

interface Recipient {
  email: string;
  locale: Locale;
}

/** Controllers that a mail names; of others it says how many. */
const namedLimit = 20;
/** Groups that it lists, likewise. */
const groupLimit = 20;

const texts = {
  fired: {
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
} as const satisfies Record<string, Record<string, Text>>;

const group: Text = { ru: 'Группа «{name}»: {count}', en: 'Group “{name}”: {count}' };
const noGroup: Text = { ru: 'Без группы: {count}', en: 'No group: {count}' };
const moreControllers: Text = { ru: 'и ещё {count}', en: 'and {count} more' };
const moreGroups: Text = { ru: 'Ещё групп: {count}', en: 'Further groups: {count}' };
const open: Text = { ru: 'Открыть оповещения', en: 'Open the alerts' };
const test = {
  subject: { ru: 'Проверка оповещений — {organization}', en: 'Test of alerts – {organization}' },
  body: {
    ru: 'Это проверка. Такие письма будут приходить, если контроллер не выходит на связь дольше {minutes} мин.',
    en: 'This is a test. You will get such mails when a controller has not been seen for over {minutes} min.',
  },
} as const satisfies Record<string, Text>;

const toMinute = (time: Date) => time.toISOString().slice(0, 16).replace('T', ' ');

/** The mails about alerts. Their length is bounded, however many controllers are offline. */
export function createAlertMails({ publicUrl }: { publicUrl: string }) {
  function actionOf({ organization }: MessageRule, locale: Locale) {
    return { label: open[locale], url: `${publicUrl}/organizations/${organization.id}/alerts` };
  }

  function describe(controller: AlertedController, line: Text, locale: Locale): string {
    const { serialNumber, description, offlineSince, resolvedAt } = controller;
    return formatText(line, locale, {
      name: description === '' ? serialNumber : `${serialNumber} (${description.replace(/\s+/g, ' ')})`,
      offlineSince: toMinute(offlineSince),
      resolvedAt: resolvedAt === null ? '' : toMinute(resolvedAt),
    });
  }

  /** A paragraph for each group: how many, and the first of them by name. */
  function listGroups({ groups, controllers }: Message, line: Text, locale: Locale): string[] {
    let namesLeft = namedLimit;
    const paragraphs = groups.slice(0, groupLimit).map(({ id, name, count }) => {
      const named = controllers.filter(({ groupId }) => groupId === id).slice(0, namesLeft);
      namesLeft -= named.length;
      const rest = count - named.length;
      return [
        formatText(name === null ? noGroup : group, locale, { name: name ?? '', count }),
        ...named.map((controller) => describe(controller, line, locale)),
        ...(rest > 0 && named.length > 0 ? [formatText(moreControllers, locale, { count: rest })] : []),
      ].join('\n');
    });
    const rest = groups.length - paragraphs.length;
    return rest > 0 ? [...paragraphs, formatText(moreGroups, locale, { count: rest })] : paragraphs;
  }

  return {
    notify(message: Message, { email, locale }: Recipient): OutgoingMail {
      const { rule, count, controllers } = message;
      const chosen = message.kind === 'alerts.fired' ? texts.fired : texts.resolved;
      const values = {
        organization: rule.organization.name,
        minutes: rule.minutes,
        count,
        serialNumber: controllers[0]?.serialNumber ?? '',
      };
      return {
        to: email,
        locale,
        kind: message.kind === 'alerts.fired' ? 'alerts-fired' : 'alerts-resolved',
        content: {
          subject: formatText(count === 1 ? chosen.one : chosen.many, locale, values),
          paragraphs: [formatText(chosen.lead, locale, values), ...listGroups(message, chosen.line, locale)],
          action: actionOf(rule, locale),
        },
      };
    },

    test(rule: MessageRule, { email, locale }: Recipient): OutgoingMail {
      const values = { organization: rule.organization.name, minutes: rule.minutes };
      return {
        to: email,
        locale,
        kind: 'alert-test',
        content: {
          subject: formatText(test.subject, locale, values),
          paragraphs: [formatText(test.body, locale, values)],
          action: actionOf(rule, locale),
        },
      };
    },
  };
}
export type AlertMails = ReturnType<typeof createAlertMails>;
