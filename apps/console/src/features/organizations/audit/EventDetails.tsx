import type { AuditEvent } from '@pult/contract';
import { Fragment, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { useDetailWords } from './detail-words.ts';
import type { EventLinks } from './event-links.tsx';

type Details = AuditEvent['details'];

/** Sizes, as people say them; other numbers stay as they are: a port is no quantity. */
const sizes = ['budget', 'bytes', 'bytesIn', 'bytesOut', 'size'];
/** RFC 3339; a newer server may write something else. */
const time = /^\d{4}-\d\d-\d\dT/;
/** What is said of a long list; the exported file has more. */
const maxListed = 8;

/** Other events tell what something is called. */
const isRenaming = /(updated|changed)$/;

interface Props {
  event: AuditEvent;
  links: EventLinks;
}

/** The details of an event in words, with links to the controllers and people among them. */
export function EventDetails({ event, links }: Props) {
  const { details } = event;
  const words = useDetailWords();
  const { t } = useTranslation('audit');
  const { formatBytes, formatDate } = useFormat();

  const showValue = (name: string, raw: Details[string]): ReactNode => {
    if (name === 'controllers') return <SerialList event={event} links={links} />;
    if (name === 'user') return links.toMember(String(raw));
    if (name === 'expiresAt' && time.test(String(raw))) return formatDate(String(raw));
    if (typeof raw === 'number' && sizes.includes(name)) return formatBytes(raw);
    // Of a guest it is a kind or a port; elsewhere somebody's name of it.
    if (name === 'service' && event.action.startsWith('guest_link.')) return words.wordsOf('kind', raw);
    return words.wordsOf(name, raw);
  };
  const nameOf = (name: string) => {
    if (name === 'name' && !isRenaming.test(event.action)) return t('ownName');
    if (name !== 'count') return words.nameOf(name);
    // Of these it is not clear what was counted.
    if (details.subgroups !== undefined) return t('controllersCounted');
    if (event.action.startsWith('webhook.')) return t('eventsCounted');
    return event.action === 'sign_in.groups_changed' ? t('rulesCounted') : words.nameOf(name);
  };
  const shown = Object.entries(details)
    // The permission tells in words what the call was.
    .filter(([name]) => name !== 'route' || details.permission === undefined)
    // A tunnel to a web service was written so.
    .map(([name, raw]) => [name === 'protocol' && Number(raw) > 0 ? 'port' : name, raw] as const);
  return shown.map(([name, raw], index) => (
    <Fragment key={name}>
      {index > 0 && '; '}
      {words.sentenceOf(name, raw) ?? (
        <>
          {nameOf(name)}: {showValue(name, raw)}
        </>
      )}
    </Fragment>
  ));
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
