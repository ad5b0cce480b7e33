import { isAllowed, type Organization, type Permission } from '@pult/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { currentUserQuery } from '../../shared/api/queries.ts';
import { IconArrowRight } from '../../shared/icons/IconArrowRight.ts';
import { type AccessKind, paths, type SettingsSection } from '../../shared/paths.ts';
import type { en } from './messages.ts';
import type { Go, PlainItem } from './palette-items.ts';

interface Place {
  name: keyof typeof en.place;
  to: string;
  search?: Record<string, string>;
  /** The element of the page. */
  hash?: string;
}

type OfOrganization = Place & {
  permission: Permission;
  /** There for those as well who have a part of the organization. */
  isOfPart?: true;
};

/** Of an open organization: each for those who may do it. */
function placesOf(id: string): OfOrganization[] {
  const access = { to: paths.access(id), isOfPart: true } as const;
  const ofAccess = (kind: AccessKind, permission: Permission, isOfPart?: true): OfOrganization => ({
    name: kind,
    to: access.to,
    search: { kind },
    permission,
    ...(isOfPart ? { isOfPart } : {}),
  });
  const settings = (
    name: Place['name'],
    section: SettingsSection,
    permission: Permission,
  ): OfOrganization => ({ name, to: paths.settings(id, section), permission });
  return [
    { name: 'invite', ...access, search: { new: 'access' }, permission: 'grants.manage' },
    { name: 'service', to: access.to, search: { new: 'service' }, permission: 'tokens.manage' },
    ofAccess('people', 'members.read'),
    ofAccess('invites', 'members.invite', true),
    ofAccess('services', 'tokens.manage'),
    ofAccess('guests', 'guests.manage', true),
    { ...settings('general', 'general', 'organization.read'), isOfPart: true },
    settings('requireTotp', 'security', 'organization.update'),
    settings('guestsAllowed', 'security', 'organization.update'),
    settings('signIn', 'single-sign-on', 'sign_in.manage'),
    { ...settings('notifications', 'notifications', 'alerts.read'), isOfPart: true },
    settings('newRule', 'notifications', 'alerts.manage'),
    settings('enrolmentKeys', 'enrolment-keys', 'enrolment_keys.manage'),
    settings('webhooks', 'webhooks', 'webhooks.manage'),
    settings('data', 'data', 'organization.update'),
    { ...settings('leave', 'general', 'organization.read'), hash: 'leaving', isOfPart: true },
    { name: 'map', to: paths.map(id), permission: 'controllers.read', isOfPart: true },
  ];
}

const ofAccount: readonly Place[] = (
  [
    ['totp', 'totp'],
    ['passkeys', 'passkeys'],
    ['password', 'password'],
    ['sessions', 'sessions'],
    ['sshKeys', 'ssh-keys'],
    ['tokens', 'tokens'],
  ] as const
).map(([name, hash]) => ({ name, to: paths.security(), hash }));

const ofInstallation = (['backups', 'mail', 'certificates', 'version', 'disk'] as const).map(
  (name): Place => ({ name, to: paths.installation() }),
);

/** Parts of pages and what is done there, found by what people call them; too many to be listed before anything is typed. */
export function usePlaces(organization: Organization | undefined, go: Go): PlainItem[] {
  const { t } = useTranslation('palette');
  const { data: user } = useQuery(currentUserQuery);
  const ofOrganization = organization
    ? placesOf(organization.id).filter(
        ({ permission, isOfPart = false }) =>
          (isOfPart || !organization.isPartial) && isAllowed(organization.userRole, permission),
      )
    : [];
  const places: Place[] = [
    ...ofOrganization,
    { name: 'newOrganization', to: paths.organizations() },
    ...ofAccount,
    { name: 'device', to: paths.device() },
    ...(user?.isAdministrator ? ofInstallation : []),
  ];
  return places.map(({ name, to, search, hash }) => ({
    kind: 'plain',
    id: `place-${name}`,
    label: t(`place.${name}.label`),
    words: t(`place.${name}.words`),
    Icon: IconArrowRight,
    run: () => go(to, search, hash),
  }));
}
