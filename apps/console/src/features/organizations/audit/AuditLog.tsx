import { Badge, Tooltip, VisuallyHidden } from '@mantine/core';
import type { AuditEvent } from '@pult/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import type { ListPosition } from '../../../shared/search/use-search-of.ts';
import { DataTable } from '../../../shared/ui/DataTable.tsx';
import { Mono } from '../../../shared/ui/Mono.tsx';
import { AuditFilters } from './AuditFilters.tsx';
import classes from './audit.module.css';
import { type AuditSearch, auditList, isPeriodReversed } from './audit-search.ts';
import { EventDetails } from './EventDetails.tsx';
import { useEventLinks } from './event-links.tsx';

interface Props {
  organizationId: string;
  list: ListPosition<AuditSearch>;
}

export function AuditLog({ organizationId, list }: Props) {
  const { t } = useTranslation('audit');
  const { formatDate } = useFormat();
  const links = useEventLinks(organizationId);
  // A period without a moment in it is told at its field.
  const enabled = !isPeriodReversed(list.search);
  const query = useQuery({ ...auditList.query({ organizationId }, list.search), enabled });
  return (
    <>
      <AuditFilters list={list} />
      {(enabled || query.data) && (
        <DataTable
          className={classes.table}
          label={t('table')}
          query={query}
          outline={12}
          empty={{ title: t('empty'), hint: t('emptyHint') }}
          list={list}
          keyOf={({ id }) => id}
          columns={[
            {
              name: 'at',
              title: t('at'),
              isPlain: true,
              cell: ({ at }) => <time dateTime={at}>{formatDate(at, 'moment')}</time>,
            },
            {
              name: 'what',
              title: t('what'),
              isPlain: true,
              cell: (event) => (
                <>
                  <span>{t(`action.${event.action}`)}</span>
                  {event.count > 1 && <EventCount count={event.count} lastAt={event.lastAt} />}
                  {Object.keys(event.details).length > 0 && (
                    <span className={classes.details}>
                      <EventDetails event={event} links={links} />
                    </span>
                  )}
                </>
              ),
            },
            { name: 'subject', title: t('subject'), isPlain: true, cell: links.toSubject },
            {
              name: 'user',
              title: t('user'),
              cell: ({ user }) => (
                <>
                  {user ? links.toMember(user.email) : t('nobody')}
                  {user?.kind !== undefined && (
                    <Badge ml={8} size="sm" variant="default" tt="none" fw={500}>
                      {t(`kind.${user.kind}`)}
                    </Badge>
                  )}
                </>
              ),
            },
            {
              name: 'address',
              title: t('address'),
              cell: ({ address }) => (
                <span data-whole={!address.includes(':') || undefined}>
                  <Mono>{address}</Mono>
                </span>
              ),
            },
          ]}
        />
      )}
    </>
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
