import { Anchor, Stack, Switch, Text } from '@mantine/core';
import type { Member, Organization } from '@pult/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { currentUserQuery, environmentsQuery } from '../../../shared/api/queries.ts';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { paths } from '../../../shared/paths.ts';
import { showToast } from '../../../shared/toasts/show-toast.tsx';
import { confirm } from '../../../shared/ui/confirm.tsx';
import { useUpdateOrganization } from '../queries.ts';
import classes from './settings.module.css';

interface Props {
  organization: Organization;
  members: readonly Member[];
}

/** Whether members need a second factor, and whom that would lock out. */
export function RequireTotp({ organization: { id, totpRequired }, members }: Props) {
  const { t } = useTranslation('organizationSettings');
  const reasonId = useId();
  const { data: user } = useQuery(currentUserQuery);
  const { data: environments } = useQuery(environmentsQuery);
  const update = useUpdateOrganization(id);
  const lacking = members.filter(({ totpEnabled }) => totpEnabled === false);

  const require = (required: boolean) => {
    const change = { totpRequired: required };
    const told = {
      onSuccess: () =>
        showToast({ severity: 'success', summary: t(required ? 'requiredOn' : 'requiredOff') }),
    };
    if (!required || lacking.length === 0) return update.mutate(change, told);
    confirm({
      title: t('requireTitle'),
      text: (
        <>
          {t('requireText')}
          <LackingMembers lacking={lacking} withCount={false} />
        </>
      ),
      action: t('requireConfirm'),
      run: () => update.mutateAsync(change, told),
    });
  };

  const reason = (): ReactNode => {
    if (totpRequired) return undefined;
    if (environments?.TOTP_AUTH_ENABLED === false) return t('unavailable');
    if (user?.totpEnabled !== false) return undefined;
    return (
      <>
        {t('ownFirst')}{' '}
        <Anchor component={Link} to={paths.security()} size="sm" underline="always">
          {t('toSecurity')}
        </Anchor>
      </>
    );
  };
  const told = reason();
  return (
    <Stack gap="sm">
      <Switch
        label={t('require')}
        description={t('requireHint')}
        checked={totpRequired}
        disabled={told !== undefined || update.isPending}
        aria-describedby={told === undefined ? undefined : reasonId}
        onChange={(event) => require(event.currentTarget.checked)}
      />
      {told === undefined ? null : (
        <Text id={reasonId} size="sm" c="var(--pult-warning)">
          {told}
        </Text>
      )}
      <LackingMembers lacking={lacking} />
    </Stack>
  );
}

interface LackingProps {
  lacking: readonly Member[];
  withCount?: boolean;
}

const shownNames = 10;

/** The members without a second factor, the first of them by name. */
function LackingMembers({ lacking, withCount = true }: LackingProps) {
  const { t } = useTranslation('organizationSettings');
  const { formatNumber } = useFormat();
  const count = lacking.length;
  const rest = count - shownNames;
  if (count === 0) return <p className={classes.lacking}>{t('lackingNone')}</p>;
  return (
    <div className={classes.lacking}>
      {withCount && t('lacking', { count, formatted: formatNumber(count) })}
      <ul>
        {lacking.slice(0, shownNames).map(({ userId, email }) => (
          <li key={userId}>{email}</li>
        ))}
        {rest > 0 && <li>{t('lackingMore', { formatted: formatNumber(rest) })}</li>}
      </ul>
    </div>
  );
}
