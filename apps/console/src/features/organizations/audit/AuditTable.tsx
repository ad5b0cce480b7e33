import { Badge, Tooltip, VisuallyHidden } from '@mantine/core';
import type { AuditEvent } from '@pult/contract';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { FoldingTable } from '../../../shared/ui/FoldingTable.tsx';
import { Mono } from '../../../shared/ui/Mono.tsx';
import classes from './audit.module.css';
import { EventDetails } from './EventDetails.tsx';
import { useEventLinks } from './event-links.tsx';

interface Props {
  organizationId: string;
  events: readonly AuditEvent[];
  /** The rows are those of the last view, until the new ones arrive. */
  isStale: boolean;
}

export function AuditTable({ organizationId, events, isStale }: Props) {
  const { t } = useTranslation('audit');
  const { formatDate } = useFormat();
  const links = useEventLinks(organizationId);
  return (
    <FoldingTable className={classes.table} label={t('table')} isStale={isStale}>
      <thead>
        <tr>
          <th data-column="at">{t('at')}</th>
          <th data-column="what">{t('what')}</th>
          <th data-column="subject">{t('subject')}</th>
          <th data-column="user">{t('user')}</th>
          <th data-column="address">{t('address')}</th>
        </tr>
      </thead>
      <tbody>
        {events.map((event) => {
          const { id, at, action, user, address, details, count, lastAt } = event;
          return (
            <tr key={id}>
              <td data-column="at">
                <time dateTime={at}>{formatDate(at, 'moment')}</time>
              </td>
              <td data-column="what">
                <span>{t(`action.${action}`)}</span>
                {count > 1 && <EventCount count={count} lastAt={lastAt} />}
                {Object.keys(details).length > 0 && (
                  <span className={classes.details}>
                    <EventDetails event={event} links={links} />
                  </span>
                )}
              </td>
              <td data-column="subject">{links.toSubject(event)}</td>
              <td data-column="user" data-label={t('user')}>
                {user ? links.toMember(user.email) : t('nobody')}
                {user?.kind !== undefined && (
                  <Badge ml={8} size="sm" variant="default" tt="none" fw={500}>
                    {t(`kind.${user.kind}`)}
                  </Badge>
                )}
              </td>
              <td
                data-column="address"
                data-label={t('address')}
                data-whole={!address.includes(':') || undefined}
              >
                <Mono>{address}</Mono>
              </td>
            </tr>
          );
        })}
      </tbody>
    </FoldingTable>
  );
}

/** How often something happened within a minute. */
function EventCount({ count, lastAt }: Pick<AuditEvent, 'count' | 'lastAt'>) {
  const { t } = useTranslation('audit');
  const { formatDate, formatNumber } = useFormat();
  const text = t('times', { count, formatted: formatNumber(count), last: formatDate(lastAt, 'moment') });
  return (
    <Tooltip label={text} withArrow>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the tooltip opens by the keyboard, too */}
      <span className={classes.count} tabIndex={0}>
        <span aria-hidden>×{formatNumber(count)}</span>
        <VisuallyHidden>{text}</VisuallyHidden>
      </span>
    </Tooltip>
  );
}
