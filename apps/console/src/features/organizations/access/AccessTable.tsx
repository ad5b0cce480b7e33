import { Badge } from '@mantine/core';
import type { Grant } from '@pult/contract';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { FoldingTable } from '../../../shared/ui/FoldingTable.tsx';
import classes from './access.module.css';
import { EndAccess } from './EndAccess.tsx';
import { PlaceName } from './PlaceName.tsx';

interface Props {
  organizationId: string;
  grants: readonly Grant[];
  /** Of the user who looks. */
  userId: string;
}

/** Who may do what, and where: a row for each role and each right. */
export function AccessTable({ organizationId, grants, userId }: Props) {
  const { t } = useTranslation(['access', 'shared']);
  const { formatDate } = useFormat();
  return (
    <FoldingTable className={classes.table} label={t('title')}>
      <thead>
        <tr>
          <th>{t('person')}</th>
          <th>{t('place')}</th>
          <th>{t('role')}</th>
          <th>{t('until')}</th>
          <th>{t('given')}</th>
          <td />
        </tr>
      </thead>
      <tbody>
        {grants.map((grant) => {
          const { id, subject, scope, role, until, createdAt, isUnbacked } = grant;
          const giver = grant.isByProvider ? t('byProvider') : grant.grantedBy;
          return (
            <tr key={id ?? `member ${subject.id}`}>
              <th scope="row" className={classes.person}>
                <span>{subject.name}</span>
                {subject.id === userId && (
                  <Badge size="sm" variant="default" tt="none" fw={500}>
                    {t('you')}
                  </Badge>
                )}
                {subject.type === 'service' && (
                  <Badge size="sm" variant="default" tt="none" fw={500}>
                    {t('service')}
                  </Badge>
                )}
              </th>
              <td data-label={t('place')}>
                <PlaceName organizationId={organizationId} place={scope} />
              </td>
              <td data-label={t('role')}>{t(`roleName.${role}`, { ns: 'shared' })}</td>
              <td data-label={t('until')}>
                {until === null ? t('endless') : <time dateTime={until}>{formatDate(until)}</time>}
              </td>
              <td data-label={t('given')}>
                {id === null ? (
                  t('byMembership', { date: formatDate(createdAt, 'date') })
                ) : (
                  <span>
                    {formatDate(createdAt, 'date')}
                    {giver !== null && <span className={classes.path}>{giver}</span>}
                    {isUnbacked && <span className={classes.unbacked}>{t('unbacked')}</span>}
                  </span>
                )}
              </td>
              <td className={classes.actions}>
                {id !== null && subject.id !== userId && (
                  <EndAccess organizationId={organizationId} grant={{ ...grant, id }} />
                )}
              </td>
            </tr>
          );
        })}
      </tbody>
    </FoldingTable>
  );
}
