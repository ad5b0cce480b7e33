import { isAllowed, type Organization, type Permission } from '@pult/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { currentUserQuery } from '../../shared/api/queries.ts';
import { IconArrowRight } from '../../shared/icons/IconArrowRight.ts';
import { paths } from '../../shared/paths.ts';
import type { en } from './messages.ts';
import type { Go, PlainItem } from './palette-items.ts';

interface Place {
  name: keyof typeof en.place;
  /** The tab of the organization's page, or another page. */
  at: { tab: string } | { to: string };
  /** The element of the page. */
  hash?: string;
}

/** Of an open organization: each for those who may do it. */
const ofOrganization: readonly (Omit<Place, 'at'> & { tab: string; permission: Permission })[] = [
  { name: 'invite', tab: 'members', permission: 'members.invite' },
  { name: 'giveAccess', tab: 'access', permission: 'grants.manage' },
  { name: 'service', tab: 'services', permission: 'tokens.manage' },
  { name: 'requireTotp', tab: 'settings', hash: 'security', permission: 'organization.update' },
  { name: 'guests', tab: 'settings', hash: 'security', permission: 'organization.update' },
  { name: 'signIn', tab: 'settings', hash: 'sign-in', permission: 'sign_in.manage' },
  { name: 'enrolmentKeys', tab: 'settings', hash: 'enrolment-keys', permission: 'enrolment_keys.manage' },
  { name: 'webhooks', tab: 'settings', hash: 'webhooks', permission: 'webhooks.manage' },
  { name: 'leave', tab: 'settings', hash: 'leaving', permission: 'organization.read' },
];

const ofAccount: readonly Place[] = (
  [
    ['totp', 'totp'],
    ['passkeys', 'passkeys'],
    ['password', 'password'],
    ['sessions', 'sessions'],
    ['sshKeys', 'ssh-keys'],
    ['tokens', 'tokens'],
  ] as const
).map(([name, hash]) => ({ name, at: { to: paths.security() }, hash }));

const ofInstallation = (['backups', 'mail', 'certificates', 'version', 'disk'] as const).map(
  (name): Place => ({ name, at: { to: paths.installation() } }),
);

/** Parts of pages and what is done there, found by what people call them; too many to be listed before anything is typed. */
export function usePlaces(organization: Organization | undefined, go: Go): PlainItem[] {
  const { t } = useTranslation('palette');
  const { data: user } = useQuery(currentUserQuery);
  const places: Place[] = [
    ...ofOrganization
      .filter(
        ({ permission }) =>
          organization && !organization.isPartial && isAllowed(organization.userRole, permission),
      )
      .map(({ name, tab, hash }) => ({ name, at: { tab }, ...(hash === undefined ? {} : { hash }) })),
    ...(organization && isAllowed(organization.userRole, 'alerts.manage')
      ? [{ name: 'newRule' as const, at: { to: paths.alerts(organization.id) } }]
      : []),
    { name: 'newOrganization', at: { to: paths.organizations() } },
    ...ofAccount,
    { name: 'device', at: { to: paths.device() } },
    ...(user?.isAdministrator ? ofInstallation : []),
  ];
  return places.map(({ name, at, hash }) => ({
    kind: 'plain',
    id: `place-${name}`,
    label: t(`place.${name}.label`),
    words: t(`place.${name}.words`),
    Icon: IconArrowRight,
    run: () =>
      'to' in at
        ? go(at.to, {}, hash)
        : go(paths.organization(organization?.id ?? ''), { tab: at.tab }, hash),
  }));
}
