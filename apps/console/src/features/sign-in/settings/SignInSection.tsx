import { Text } from '@mantine/core';
import { isAllowed, type Member, type Organization } from '@pult/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { QueryState } from '../../../shared/ui/QueryState.tsx';
import { Section } from '../../../shared/ui/Section.tsx';
import { GroupGrants } from './GroupGrants.tsx';
import { ProviderSettings } from './ProviderSettings.tsx';
import { signInSettingsQuery } from './queries.ts';
import { RequireSignIn } from './RequireSignIn.tsx';
import classes from './sign-in.module.css';

interface Props {
  organization: Organization;
  members: readonly Member[];
}

/** By which identity provider people sign in to the organization, and what that gives them. */
export function SignInSection({ organization, members }: Props) {
  const { t } = useTranslation('organizationSignIn');
  return (
    <Section id="sign-in" title={t('title')}>
      {isAllowed(organization.userRole, 'sign_in.manage') ? (
        <SignIn organizationId={organization.id} members={members} />
      ) : (
        <Text size="sm">{t('onlyOwners')}</Text>
      )}
    </Section>
  );
}

function SignIn({ organizationId, members }: { organizationId: string; members: readonly Member[] }) {
  const query = useQuery(signInSettingsQuery(organizationId));
  const { data: settings } = query;
  if (!settings) return <QueryState query={query} rows={3} />;
  const hasProvider = settings.provider !== null || settings.installationProvider !== null;
  return (
    <>
      <ProviderSettings organizationId={organizationId} settings={settings} />
      {hasProvider && (
        <>
          <hr className={classes.line} />
          <RequireSignIn organizationId={organizationId} settings={settings} members={members} />
          <hr className={classes.line} />
          <GroupGrants organizationId={organizationId} />
        </>
      )}
    </>
  );
}
