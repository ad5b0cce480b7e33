import { Badge } from '@mantine/core';
import type { Grant } from '@pult/contract';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../shared/i18n/use-format.ts';
import { PlainTable } from '../../shared/ui/DataTable.tsx';
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
  const badge = (text: string) => (
    <Badge size="sm" variant="default" tt="none" fw={500}>
      {text}
    </Badge>
  );
  return (
    <PlainTable
      label={t('title')}
      rows={grants}
      keyOf={({ id, subject }) => id ?? `member ${subject.id}`}
      columns={[
        {
          name: 'person',
          title: t('person'),
          isHead: true,
          cell: ({ subject }) => (
            <span className={classes.person}>
              <span>{subject.name}</span>
              {subject.id === userId && badge(t('you'))}
              {subject.type === 'service' && badge(t('service'))}
            </span>
          ),
        },
        {
          name: 'place',
          title: t('place'),
          cell: ({ scope }) => <PlaceName organizationId={organizationId} place={scope} />,
        },
        { name: 'role', title: t('role'), cell: ({ role }) => t(`roleName.${role}`, { ns: 'shared' }) },
        {
          name: 'until',
          title: t('until'),
          cell: ({ until }) =>
            until === null ? t('endless') : <time dateTime={until}>{formatDate(until)}</time>,
        },
        {
          name: 'given',
          title: t('given'),
          cell: ({ id, createdAt, isByProvider, grantedBy, isUnbacked }) => {
            const date = formatDate(createdAt, 'date');
            if (id === null) return t('byMembership', { date });
            const giver = isByProvider ? t('byProvider') : grantedBy;
            return (
              <span>
                {date}
                {giver !== null && <span className={classes.path}>{giver}</span>}
                {isUnbacked && <span className={classes.unbacked}>{t('unbacked')}</span>}
              </span>
            );
          },
        },
        {
          name: 'end',
          cell: (grant) =>
            grant.id !== null &&
            grant.subject.id !== userId && (
              <EndAccess organizationId={organizationId} grant={{ ...grant, id: grant.id }} />
            ),
        },
      ]}
    />
  );
}
