import { Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { currentUserQuery, environmentsQuery } from '../../../shared/api/queries.ts';
import { Page } from '../../../shared/ui/Page.tsx';
import { Section, SettingSections } from '../../../shared/ui/Section.tsx';
import { IdentitiesSection, SignedIntoSection } from '../../sign-in/index.ts';
import { PasskeysSection } from '../passkeys/PasskeysSection.tsx';
import { SshKeysSection } from '../ssh-keys/SshKeysSection.tsx';
import { TokensSection } from '../tokens/TokensSection.tsx';
import { TwoFactorSection } from '../totp/TwoFactorSection.tsx';
import { AppearanceSection } from './AppearanceSection.tsx';
import { PasswordSection } from './PasswordSection.tsx';
import { RolesList } from './RolesList.tsx';
import { SessionsSection } from './SessionsSection.tsx';

interface Props {
  /** Ends the session, and leads to the login. */
  logOut: { mutate: () => void; isPending: boolean };
}

/** All of one's own account. It asks nothing of any organization, so that no refusal can lead from here to here. */
export function SecurityPage({ logOut }: Props) {
  const { t } = useTranslation('security');
  const { data: user } = useQuery(currentUserQuery);
  const { data: environments } = useQuery(environmentsQuery);
  return (
    <Page title={t('title')}>
      <SettingSections>
        <Section title={t('account.title')}>
          <Group justify="space-between" gap="xs" maw={420}>
            <Text size="sm" c="dimmed">
              {t('account.email')}
            </Text>
            <Text size="sm">{user?.email}</Text>
          </Group>
        </Section>
        {user?.signedInto !== undefined && (
          <SignedIntoSection
            organizationId={user.signedInto}
            isPending={logOut.isPending}
            onLogOut={() => logOut.mutate()}
          />
        )}
        {user && user.signedInto === undefined && (
          <>
            {/* First what one may have been sent here for. */}
            <TwoFactorSection user={user} isAvailable={environments?.TOTP_AUTH_ENABLED !== false} />
            {environments && <PasskeysSection user={user} environments={environments} />}
            <PasswordSection email={user.email} />
            <IdentitiesSection />
            <SessionsSection />
            {environments && <SshKeysSection email={user.email} environments={environments} />}
            <TokensSection />
          </>
        )}
        <Section title={t('account.roles')}>
          <RolesList />
        </Section>
        <AppearanceSection />
      </SettingSections>
    </Page>
  );
}
