import { Button, Group, Text, Title } from '@mantine/core';
import { isAllowed, type Member, type Organization, type Permission } from '@pult/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { organizationQuery } from '../../../shared/api/queries.ts';
import { IconDownload } from '../../../shared/icons/IconDownload.ts';
import { IconLock } from '../../../shared/icons/IconLock.ts';
import { paths, type SettingsSection, settingsSections } from '../../../shared/paths.ts';
import { EmptyState } from '../../../shared/ui/EmptyState.tsx';
import { FactList } from '../../../shared/ui/FactList.tsx';
import { Page } from '../../../shared/ui/Page.tsx';
import { QueryState } from '../../../shared/ui/QueryState.tsx';
import { Section, SettingSections } from '../../../shared/ui/Section.tsx';
import { MailNotice, RulesSection } from '../../alerts/index.ts';
import { useExportControllers } from '../../controllers/index.ts';
import { EnrolmentKeysSection } from '../../enrolment-keys/index.ts';
import { SignInSection } from '../../sign-in/index.ts';
import { GuestsAllowed } from '../../tunnels/index.ts';
import { WebhooksSection } from '../../webhooks/index.ts';
import { auditList } from '../audit/audit-search.ts';
import { useDownloadAudit } from '../audit/queries.ts';
import { membersQuery } from '../members/queries.ts';
import { DeleteOrganization } from './DeleteOrganization.tsx';
import { LeaveOrganization } from './LeaveOrganization.tsx';
import { RenameForm } from './RenameForm.tsx';
import { RequireTotp } from './RequireTotp.tsx';
import classes from './settings.module.css';

interface Rule {
  permission: Permission;
  /** Settings of a whole organization: a member with a part of it has none of them. */
  isOfWhole?: true;
}

const rules: Readonly<Record<SettingsSection, Rule>> = {
  general: { permission: 'organization.read' },
  security: { permission: 'organization.update', isOfWhole: true },
  'single-sign-on': { permission: 'sign_in.manage', isOfWhole: true },
  notifications: { permission: 'alerts.read' },
  'enrolment-keys': { permission: 'enrolment_keys.manage', isOfWhole: true },
  webhooks: { permission: 'webhooks.manage', isOfWhole: true },
  data: { permission: 'organization.update', isOfWhole: true },
};

function isOpenTo({ userRole, isPartial = false }: Organization, section: SettingsSection): boolean {
  const { permission, isOfWhole = false } = rules[section];
  return isAllowed(userRole, permission) && !(isOfWhole && isPartial);
}

interface Props {
  organizationId: string;
  section: SettingsSection;
}

/** What the organization is called, what it asks of its members, whom it notifies and how its data leave it. */
export function SettingsPage({ organizationId, section }: Props) {
  const { t } = useTranslation('organizationSettings');
  const { data: organization } = useQuery(organizationQuery(organizationId));
  if (!organization) return null; // loaded before the page is shown
  const name = t(`section.${section}`);
  return (
    <Page
      title={section === 'general' ? t('title') : `${t('title')}: ${name}`}
      heading={<Title order={1}>{t('title')}</Title>}
    >
      <nav className={classes.sections} aria-label={t('title')}>
        {settingsSections
          .filter((each) => isOpenTo(organization, each))
          .map((each) => (
            <Link key={each} to={paths.settings(organizationId, each)} className={classes.section}>
              {t(`section.${each}`)}
            </Link>
          ))}
      </nav>
      <Settings organization={organization} section={section} />
    </Page>
  );
}

function Settings({ organization, section }: { organization: Organization; section: SettingsSection }) {
  const { t } = useTranslation(['organizationSettings', 'shared']);
  const { id } = organization;
  if (!isOpenTo(organization, section)) {
    return (
      <EmptyState icon={<IconLock size={32} stroke={1.5} />} title={t('notForRole')}>
        {t('notForRoleHint', { role: t(`role.${organization.userRole}`, { ns: 'shared' }) })}
      </EmptyState>
    );
  }
  switch (section) {
    case 'notifications':
      return (
        <>
          <MailNotice organizationId={id} />
          <RulesSection organizationId={id} />
        </>
      );
    case 'enrolment-keys':
      return (
        <SettingSections>
          <EnrolmentKeysSection organizationId={id} />
        </SettingSections>
      );
    case 'webhooks':
      return (
        <SettingSections>
          <WebhooksSection organizationId={id} />
        </SettingSections>
      );
    case 'general':
      // Whoever has a part of the organization changes nothing of it as a whole, and sees no members.
      if (organization.isPartial) {
        return (
          <SettingSections>
            <Leaving organization={organization} members={[]} />
          </SettingSections>
        );
      }
  }
  return (
    <WithMembers organizationId={id}>
      {(members) => <SettingsOfWhole organization={organization} section={section} members={members} />}
    </WithMembers>
  );
}

interface WithMembersProps {
  organizationId: string;
  children: (members: readonly Member[]) => ReactNode;
}

function WithMembers({ organizationId, children }: WithMembersProps) {
  const query = useQuery(membersQuery(organizationId));
  return (
    <SettingSections>
      <QueryState query={query} rows={6} height={28}>
        {children}
      </QueryState>
    </SettingSections>
  );
}

interface OfWhole {
  organization: Organization;
  section: SettingsSection;
  members: readonly Member[];
}

function SettingsOfWhole({ organization, section, members }: OfWhole) {
  const { t } = useTranslation('organizationSettings');
  switch (section) {
    case 'security':
      return (
        <Section title={t('security')}>
          <RequireTotp organization={organization} members={members} />
          <hr className={classes.line} />
          <GuestsAllowed organization={organization} />
        </Section>
      );
    case 'single-sign-on':
      return <SignInSection organization={organization} members={members} />;
    case 'data':
      return (
        <>
          <Exports organizationId={organization.id} />
          <Section title={t('delete.button')}>
            <DeleteOrganization organization={organization} members={members} />
          </Section>
        </>
      );
    default:
      return (
        <>
          <Section title={t('general')}>
            {isAllowed(organization.userRole, 'organization.update') ? (
              <RenameForm key={organization.name} organization={organization} />
            ) : (
              <SettingsInWords organization={organization} />
            )}
          </Section>
          <Leaving organization={organization} members={members} />
        </>
      );
  }
}

function Leaving(props: { organization: Organization; members: readonly Member[] }) {
  const { t } = useTranslation('organizationSettings');
  return (
    <Section id="leaving" title={t('leave')}>
      <LeaveOrganization {...props} />
    </Section>
  );
}

/** What can be taken along as a file. */
function Exports({ organizationId }: { organizationId: string }) {
  const { t } = useTranslation('organizationSettings');
  const controllers = useExportControllers({ organization_id: organizationId });
  const audit = useDownloadAudit(organizationId, auditList.initial);
  return (
    <Section title={t('export.title')} description={t('export.text')}>
      <Group gap="xs">
        <Button
          variant="default"
          leftSection={<IconDownload size={16} />}
          loading={controllers.isPending}
          onClick={() => controllers.mutate()}
        >
          {t('export.controllers')}
        </Button>
        <Button
          variant="default"
          leftSection={<IconDownload size={16} />}
          loading={audit.isPending}
          onClick={() => audit.mutate()}
        >
          {t('export.audit')}
        </Button>
      </Group>
    </Section>
  );
}

/** For those who change none of it: a wall of what is disabled says no more. */
function SettingsInWords({ organization }: { organization: Organization }) {
  const { t } = useTranslation(['organizationSettings', 'shared']);
  const { name, totpRequired, guestsAllowed = true } = organization;
  return (
    <>
      <FactList
        facts={[
          [t('name', { ns: 'shared' }), name],
          [t('words.totp'), t(totpRequired ? 'words.required' : 'words.notRequired')],
          [t('words.guests'), t(guestsAllowed && !totpRequired ? 'words.allowed' : 'words.notAllowed')],
        ]}
      />
      <Text size="sm" c="dimmed" mt="sm">
        {t('words.byAdmins')}
      </Text>
    </>
  );
}
