import { Text } from '@mantine/core';
import { isAllowed, type Organization } from '@pult/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { QueryState } from '../../../shared/ui/QueryState.tsx';
import { Section, SettingSections } from '../../../shared/ui/Section.tsx';
import { EnrolmentKeysSection } from '../../enrolment-keys/index.ts';
import { SignInSection } from '../../sign-in/index.ts';
import { GuestsAllowed } from '../../tunnels/index.ts';
import { WebhooksSection } from '../../webhooks/index.ts';
import { membersQuery } from '../members/queries.ts';
import { DeleteOrganization } from './DeleteOrganization.tsx';
import { LeaveOrganization } from './LeaveOrganization.tsx';
import { RenameForm } from './RenameForm.tsx';
import { RequireTotp } from './RequireTotp.tsx';
import classes from './settings.module.css';

/** What the organization is called and asks of its members, and the ways out of it. */
export function SettingsTab({ organization }: { organization: Organization }) {
  return organization.isPartial ? (
    <SettingsOfPart organization={organization} />
  ) : (
    <SettingsOfWhole organization={organization} />
  );
}

/** Whoever has a part of the organization changes nothing of it as a whole. */
function SettingsOfPart({ organization }: { organization: Organization }) {
  const { t } = useTranslation('organizationSettings');
  return (
    <SettingSections>
      <Section id="leaving" title={t('leaving')}>
        <LeaveOrganization organization={organization} members={[]} />
      </Section>
    </SettingSections>
  );
}

function SettingsOfWhole({ organization }: { organization: Organization }) {
  const { t } = useTranslation('organizationSettings');
  const query = useQuery(membersQuery(organization.id));
  const { data: members } = query;
  if (!members) return <QueryState query={query} rows={6} height={28} />;
  if (!isAllowed(organization.userRole, 'organization.update')) {
    return (
      <SettingSections>
        <Section title={t('general')}>
          <SettingsInWords organization={organization} />
        </Section>
        <Section id="leaving" title={t('leave')}>
          <LeaveOrganization organization={organization} members={members} />
        </Section>
      </SettingSections>
    );
  }
  return (
    <SettingSections>
      <Section title={t('general')}>
        <RenameForm key={organization.name} organization={organization} />
      </Section>
      <Section id="security" title={t('security')}>
        <RequireTotp organization={organization} members={members} />
        <hr className={classes.line} />
        <GuestsAllowed organization={organization} />
      </Section>
      <SignInSection organization={organization} members={members} />
      <EnrolmentKeysSection organizationId={organization.id} />
      <WebhooksSection organizationId={organization.id} />
      <Section id="leaving" title={t('leaving')}>
        <LeaveOrganization organization={organization} members={members} />
        <hr className={classes.line} />
        <DeleteOrganization organization={organization} members={members} />
      </Section>
    </SettingSections>
  );
}

/** For those who change none of it: a wall of what is disabled says no more. */
function SettingsInWords({ organization }: { organization: Organization }) {
  const { t } = useTranslation(['organizationSettings', 'shared']);
  const { name, totpRequired, guestsAllowed = true } = organization;
  return (
    <>
      <dl className={classes.words}>
        <dt>{t('name', { ns: 'shared' })}</dt>
        <dd>{name}</dd>
        <dt>{t('words.totp')}</dt>
        <dd>{t(totpRequired ? 'words.required' : 'words.notRequired')}</dd>
        <dt>{t('words.guests')}</dt>
        <dd>{t(guestsAllowed && !totpRequired ? 'words.allowed' : 'words.notAllowed')}</dd>
      </dl>
      <Text size="sm" c="dimmed" mt="sm">
        {t('words.byAdmins')}
      </Text>
    </>
  );
}
