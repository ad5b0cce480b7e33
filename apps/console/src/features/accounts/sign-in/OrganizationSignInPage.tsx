import { Anchor, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useDocumentTitle } from '../../../shared/page/title.ts';
import { paths } from '../../../shared/paths.ts';
import { GuestNotice } from '../components/GuestNotice.tsx';
import type { ProviderCheck } from './arrivals.ts';
import { SignInButton } from './SignInButton.tsx';
import classes from './sign-in.module.css';

interface Props {
  organizationId: string;
  provider: ProviderCheck;
  /** Where to go afterwards; on this origin. */
  destination: string;
}

/** What the people of an organization are given to sign in by. */
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
      <Title order={1}>{t('organization.title')}</Title>
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
