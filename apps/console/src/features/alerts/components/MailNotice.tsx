import { Alert } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useIsAllowed } from '../../../shared/api/permissions.ts';
import { currentUserQuery, environmentsQuery } from '../../../shared/api/queries.ts';
import { paths } from '../../../shared/paths.ts';
import classes from './alerts.module.css';

/** Tells those who make rules that mails reach nobody, before they rely on them. */
export function MailNotice({ organizationId }: { organizationId: string }) {
  const { t } = useTranslation('alerts');
  const { data: environments } = useQuery(environmentsQuery);
  const { data: user } = useQuery(currentUserQuery);
  const mayManage = useIsAllowed(organizationId, 'alerts.manage');
  if (!mayManage || environments?.MAIL_ENABLED !== false) return null;
  return (
    <Alert color="yellow">
      {t('mailOff.text')}{' '}
      {user?.isAdministrator ? (
        <Link to={paths.installation()} className={classes.link}>
          {t('mailOff.setUp')}
        </Link>
      ) : (
        t('mailOff.ask')
      )}
    </Alert>
  );
}
