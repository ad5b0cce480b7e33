export * from './client.ts';
export * from './csv.ts';
export * from './errors.ts';
export * from './openapi.ts';
export * from './route.ts';
export { type RouteName, type Routes, routes } from './routes/index.ts';
export type { Session, SessionDevice, SshKey, TotpSetup, User } from './schemas/accounts.ts';
export type { Replacement } from './schemas/activation.ts';
export * from './schemas/agent-updates.ts';
export * from './schemas/alert-channels/delivery-result.ts';
export * from './schemas/alerts.ts';
export type { AuditEvent } from './schemas/audit.ts';
export * from './schemas/controllers.ts';
export * from './schemas/diagnostics.ts';
export type { NamedEndpoint } from './schemas/endpoints.ts';
export type { CreatedEnrolmentKey, EnrolmentKey } from './schemas/enrolment-keys.ts';
export type { Environments } from './schemas/environments.ts';
export {
  type EventMessage,
  eventMessage,
  type OrganizationEvent,
  organizationEvent,
} from './schemas/events.ts';
export type { Grant, GrantPlace, ShownPlace } from './schemas/grants.ts';
export type { Group } from './schemas/groups.ts';
export {
  type CreatedGuestLink,
  type GuestAnswer,
  type GuestLink,
  guestTerminalPath,
  type OrganizationGuestLink,
} from './schemas/guests.ts';
export type {
  ControllerHistory,
  ControllerHistoryRequest,
  OrganizationHistory,
  OrganizationHistoryRequest,
} from './schemas/history.ts';
export type {
  Installation,
  InstallationDiagnosis,
  InstallationNodes,
  InstallationOrganizations,
} from './schemas/installation.ts';
export * from './schemas/live-tunnels.ts';
export type { Invite, InviteValidation, Member, Organization } from './schemas/organizations.ts';
export type { Attention, Overview } from './schemas/overview.ts';
export type { AddPasskeyRequest, Passkey, PasskeyOptions, PasskeyProof } from './schemas/passkeys.ts';
export type { OrderBy } from './schemas/query.ts';
export type { FoundGroup, SearchResults } from './schemas/search.ts';
export type { ServiceAccount } from './schemas/service-accounts.ts';
export type {
  GroupGrant,
  GroupGrantsPreview,
  Identity,
  IdentityProvider,
  OpenSignIn,
  SetIdentityProviderRequest,
  ShownGroupGrant,
  SignInSettings,
} from './schemas/sign-in.ts';
export * from './schemas/telemetry.ts';
export * from './schemas/terminal.ts';
export * from './schemas/terminal-files.ts';
export { serialNumber } from './schemas/text.ts';
export type { AccessToken, CreatedToken, DeviceLogin } from './schemas/tokens.ts';
export * from './schemas/traffic.ts';
export * from './schemas/tunnels.ts';
export type { WebCacheSettings } from './schemas/web-cache.ts';
export * from './schemas/webhooks.ts';
export * from './validation.ts';
export * from './values/index.ts';
