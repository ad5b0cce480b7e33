import type { AuditEvent } from '@pult/contract';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { FoldingTable } from '../../../shared/ui/FoldingTable.tsx';
import { Mono } from '../../../shared/ui/Mono.tsx';
import classes from './audit.module.css';
import { useEventDetails } from './use-event-details.ts';

interface Props {
  events: readonly AuditEvent[];
  /** The rows are those of the last view, until the new ones arrive. */
  isStale: boolean;
}

export function AuditTable({ events, isStale }: Props) {
  const { t } = useTranslation('audit');
  const { formatDate } = useFormat();
  const detailsOf = useEventDetails();
  return (
    <FoldingTable className={classes.table} label={t('table')} isStale={isStale}>
      <thead>
        <tr>
          <th data-column="at">{t('at')}</th>
          <th>{t('what')}</th>
          <th>{t('subject')}</th>
          <th>{t('user')}</th>
          <th data-column="address">{t('address')}</th>
        </tr>
      </thead>
      <tbody>
        {events.map((event) => {
          const { id, at, action, subject, user, address } = event;
          const details = detailsOf(event);
          return (
            <tr key={id}>
              <td data-column="at">
                <time dateTime={at}>{formatDate(at, 'moment')}</time>
              </td>
              <td data-column="what">
                <span>{t(`action.${action}`)}</span>
                {details && <span className={classes.details}>{details}</span>}
              </td>
              <td data-column="subject">{subject}</td>
              <td data-column="user" data-label={t('user')}>
                {user ? user.email : t('nobody')}
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
