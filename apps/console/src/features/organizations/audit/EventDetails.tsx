import { type AuditEvent, permissions, roles } from '@pult/contract';
import {
  type AuditDetailRow,
  auditDetailTable,
  auditWords,
  connectionKinds,
  connectionKindTable,
  listedUpdateStatuses,
  tunnelRecordKinds,
} from '@pult/contract/values';
import { Fragment, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocale } from '../../../shared/i18n/i18n.ts';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { ru as texts } from './detail-messages.ts';
import type { EventLinks } from './event-links.tsx';

type Details = AuditEvent['details'];
type Raw = Details[string];

/** RFC 3339; a newer server may write something else. */
const time = /^\d{4}-\d\d-\d\dT/;
/** What is said of a long list; the exported file has more. */
const maxListed = 8;
/** Of the map's view: they have a word together. */
const bounds = ['latitude_min', 'latitude_max', 'longitude_min', 'longitude_max'];
/** Other events tell what something is called. */
const isRenaming = /(updated|changed)$/;

function isKeyOf<Table extends object>(table: Table, name: string): name is keyof Table & string {
  return Object.hasOwn(table, name);
}

/** `newThing` and `new_thing` as `new thing`: what a newer server wrote has no word here yet. */
const asWords = (name: string) =>
  name
    .replaceAll('_', ' ')
    .replace(/[A-Z]/g, (letter) => ` ${letter}`)
    .toLowerCase();

function readFilter(text: string): [string, unknown][] {
  try {
    const filter: unknown = JSON.parse(text);
    return typeof filter === 'object' && filter !== null ? Object.entries(filter) : [];
  } catch {
    return []; // A long one is kept in part.
  }
}

interface Props {
  event: AuditEvent;
  links: EventLinks;
}

/** The details of an event in words, with links to the controllers and people among them. */
export function EventDetails({ event, links }: Props) {
  const { t } = useTranslation('audit');
  const locale = useLocale();
  const { action, details } = event;
  const show = useShownValue();
  const nameOf = (name: string): string => {
    if (name === 'name' && !isRenaming.test(action)) return t('ownName');
    if (name === 'count') {
      // Of these it is not clear what was counted.
      if (details.subgroups !== undefined) return t('controllersCounted');
      if (action.startsWith('webhook.')) return t('eventsCounted');
      if (action === 'sign_in.groups_changed') return t('rulesCounted');
    }
    return isKeyOf(auditDetailTable, name) ? auditDetailTable[name].label[locale] : asWords(name);
  };
  const kindOf = (name: string) => {
    // Of a guest it is a kind or a port; elsewhere somebody's name of it.
    if (name === 'service' && action.startsWith('guest_link.')) return 'enum';
    return isKeyOf(auditDetailTable, name) ? auditDetailTable[name].kind : 'enum';
  };
  const sentenceOf = (name: string, raw: Raw): string => {
    if (!isKeyOf(auditDetailTable, name)) return asWords(name);
    const { label, otherwise = label }: AuditDetailRow = auditDetailTable[name];
    return (raw === true ? label : otherwise)[locale];
  };
  const showDetail = (name: string, raw: Raw): ReactNode => {
    const kind = kindOf(name);
    if (kind === 'serial') return <SerialList event={event} links={links} />;
    return kind === 'member' ? links.toMember(String(raw)) : show(kind, raw);
  };
  const shown = Object.entries(details)
    // The permission tells in words what the call was.
    .filter(([name]) => name !== 'route' || details.permission === undefined)
    // A tunnel to a web service was written so.
    .map(([name, raw]) => [name === 'protocol' && Number(raw) > 0 ? 'port' : name, raw] as const);
  return shown.map(([name, raw], index) => (
    <Fragment key={name}>
      {index > 0 && '; '}
      {kindOf(name) === 'sentence' ? (
        sentenceOf(name, raw)
      ) : (
        <>
          {nameOf(name)}: {showDetail(name, raw)}
        </>
      )}
    </Fragment>
  ));
}

/** A value by its kind, in the words of the page's language. */
function useShownValue(): (kind: string, raw: Raw) => string {
  const { t } = useTranslation(['audit', 'shared', 'tunnelKinds']);
  const { formatBytes, formatDate } = useFormat();
  const locale = useLocale();
  const yesOrNo = (value: unknown) => t(value === true || value === 'true' ? 'value.yes' : 'value.no');
  const wordOf = (text: string) => {
    const role = roles.find((one) => one === text);
    if (role) return t(`role.${role}`, { ns: 'shared' });
    const kind = tunnelRecordKinds.find((one) => one === text);
    if (kind) return t(`record.${kind}`, { ns: 'tunnelKinds' });
    return isKeyOf(auditWords, text) ? auditWords[text][locale] : text;
  };
  const permissionOf = (text: string) =>
    isKeyOf(permissions, text) ? t(`permission.${text}`) : asWords(text);
  const connectionOf = (text: string) => {
    const kind = connectionKinds.find((one) => one === text);
    return kind ? connectionKindTable[kind].label[locale] : text;
  };
  const updateOf = (text: string) => {
    const status = listedUpdateStatuses.find((one) => one === text);
    return status ? t(`update.${status}`) : text;
  };
  const words: Record<string, (text: string) => string> = {
    status: wordOf,
    agent_update: updateOf,
    connection_kind: connectionOf,
  };
  const filterOf = (text: string) => {
    const parts = readFilter(text).filter(([name]) => name !== 'organization_id');
    const phrases = parts
      .filter(([name]) => !bounds.includes(name))
      .map(([name, value]) => {
        const label = isKeyOf(texts.filter, name) ? t(`filter.${name}`) : asWords(name);
        const chosen = String(value).split(',');
        const word = Object.hasOwn(words, name) ? words[name] : undefined;
        if (word) return `${label}: ${chosen.map(word).join(', ')}`;
        if (name === 'group_ids') return `${label}: ${chosen.length}`;
        return `${label}: ${typeof value === 'boolean' ? yesOrNo(value) : String(value)}`;
      });
    if (parts.some(([name]) => bounds.includes(name))) phrases.push(t('filter.area'));
    return phrases.length > 0 ? phrases.join(', ') : '…';
  };
  return (kind, raw) => {
    const text = String(raw);
    if (raw === null) return '—';
    if (typeof raw === 'boolean') return yesOrNo(raw);
    if (kind === 'bytes' && typeof raw === 'number') return formatBytes(raw);
    if (kind === 'time' && time.test(text)) return formatDate(text);
    if (kind === 'filter') return filterOf(text);
    if (kind === 'call') return asWords(text);
    if (kind === 'permission') return text.split(', ').map(permissionOf).join(', ');
    // A list is written by its commas.
    return kind === 'enum' ? text.split(', ').map(wordOf).join(', ') : text;
  };
}

/** The serial numbers of an event, which keeps the beginning of a long list, and the count of all. */
function SerialList({ event, links }: Props) {
  const { details } = event;
  const { t } = useTranslation('audit');
  const { formatNumber } = useFormat();
  const serialNumbers = String(details.controllers).split(', ');
  const total = typeof details.count === 'number' ? details.count : serialNumbers.length;
  const listed = serialNumbers.slice(0, maxListed);
  const rest = total - listed.length;
  return (
    <>
      {listed.map((serialNumber, index) => (
        <Fragment key={serialNumber}>
          {index > 0 && ', '}
          {links.toController(event, serialNumber)}
        </Fragment>
      ))}
      {rest > 0 && ` ${t('more', { formatted: formatNumber(rest) })}`}
    </>
  );
}
