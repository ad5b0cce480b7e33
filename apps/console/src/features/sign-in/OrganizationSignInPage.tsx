import { Anchor, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { currentUserQuery } from '../../shared/api/queries.ts';
import { isAuthorized } from '../../shared/auth/authorization.ts';
import { useDocumentTitle } from '../../shared/page/title.ts';
import { paths } from '../../shared/paths.ts';
import { GuestNotice } from '../accounts/index.ts';
import type { ProviderCheck } from './arrivals.ts';
import { SignInButton } from './SignInButton.tsx';
import classes from './sign-in.module.css';

interface Props {
  organizationId: string;
  provider: ProviderCheck;
  /** Where to go afterwards; on this origin. */
  destination: string;
}

/**
 * What the people of an organization are given to sign in by. Anybody can send such a link to sign others in to an account of their
 * own: the page says where it leads, and whose login it ends.
 */
export function OrganizationSignInPage({ organizationId, provider, destination }: Props) {
  const { t } = useTranslation(['signIn', 'accounts']);
  useDocumentTitle(t('organization.title'));
  if (provider.kind === 'refused') {
    return (
      <GuestNotice
        title={t('organization.title')}
        action={{ to: paths.login(), label: t('login.back', { ns: 'accounts' }) }}
      >
        {provider.reasons.join(' ')}
      </GuestNotice>
    );
  }
  return (
    <Stack gap="md">
      <Title order={1} className={classes.lead ?? ''}>
        {provider.organizationName
          ? t('organization.titleOf', { organization: provider.organizationName })
          : t('organization.title')}
      </Title>
      <PresentLogin />
      <Text size="sm" className={classes.lead ?? ''}>
        {t('organization.text', { name: provider.name })}
      </Text>
      <SignInButton name={provider.name} provider={organizationId} returnTo={destination} isPrimary />
      <Anchor component={Link} to={paths.login()} size="sm" ta="center">
        {t('organization.byPassword')}
      </Anchor>
    </Stack>
  );
}

/** The page is there for whoever is not logged in, too: no answer leads away from it. */
function PresentLogin() {
  const { t } = useTranslation('signIn');
  const { data: user } = useQuery({
    ...currentUserQuery,
    enabled: isAuthorized(),
    meta: { isBackground: true, errors: { inPlace: 'all', stays: [401, 403] } },
  });
  if (!user) return null;
  return (
    <Text size="sm" className={classes.lead ?? ''}>
      {t('organization.replaced', { email: user.email })}
    </Text>
  );
}
