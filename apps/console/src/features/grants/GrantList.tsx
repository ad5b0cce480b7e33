import { Text } from '@mantine/core';
import type { Grant } from '@pult/contract';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../shared/i18n/use-format.ts';
import { EndAccess } from './EndAccess.tsx';
import classes from './grants.module.css';
import { PlaceName } from './PlaceName.tsx';

interface Props {
  organizationId: string;
  /** Of one subject; a role of a member has no id. */
  grants: readonly Grant[];
  /** Of the user who looks, where they may be the subject. */
  userId?: string;
  /** Where it stands in a section of that name. */
  isNamed?: true;
}

/** Where somebody has which right, who gave it, and its end. */
export function GrantList({ organizationId, grants, userId, isNamed }: Props) {
  const { t } = useTranslation(['grants', 'shared']);
  const { formatDate } = useFormat();
  return (
    <section aria-label={isNamed ? undefined : t('rights')}>
      {!isNamed && <h3 className={classes.heading}>{t('rights')}</h3>}
      {grants.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('noRights')}
        </Text>
      )}
      <ul className={classes.list}>
        {grants.map(({ id, ...grant }) => {
          const { subject, scope, role, until, createdAt, grantedBy, isByProvider, isUnbacked } = grant;
          const date = formatDate(createdAt, 'date');
          const giver = isByProvider ? t('byProvider') : grantedBy;
          return (
            <li key={id ?? 'member'} className={classes.item}>
              <div>
                <PlaceName organizationId={organizationId} place={scope} />
                <span className={classes.detail}>
                  {t(`roleName.${role}`, { ns: 'shared' })},{' '}
                  {until === null ? t('endless') : t('untilDate', { date: formatDate(until) })}
                </span>
                <span className={classes.detail}>
                  {id === null ? t('byMembership', { date }) : giver === null ? date : `${date}, ${giver}`}
                </span>
                {isUnbacked && <span className={classes.unbacked}>{t('unbacked')}</span>}
              </div>
              {id !== null && subject.id !== userId && (
                <EndAccess organizationId={organizationId} grant={{ ...grant, id }} />
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
