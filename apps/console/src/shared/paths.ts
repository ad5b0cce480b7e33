import type { PageProtocol } from '@pult/contract';

function withQuery(path: string, query: Readonly<Record<string, string | undefined>>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value) search.set(name, value);
  return search.size > 0 ? `${path}?${search}` : path;
}

const segment = encodeURIComponent;

export const accessKinds = ['people', 'invites', 'services', 'guests'] as const;
export type AccessKind = (typeof accessKinds)[number];
/** What the page of access can begin with at once. */
export const newAccess = ['access', 'service'] as const;
export type NewAccess = (typeof newAccess)[number];

export const settingsSections = [
  'general',
  'security',
  'single-sign-on',
  'notifications',
  'enrolment-keys',
  'webhooks',
  'data',
] as const;
export type SettingsSection = (typeof settingsSections)[number];

/** Every address of the console, as docs/spec-coverage.md has them. Nothing else puts a path together. */
export const paths = {
  root: () => '/',
  addController: (query: { token?: string } = {}) => withQuery('/controllers', query),
  organizations: (query: { token?: string; orgName?: string } = {}) => withQuery('/organizations', query),
  organization: (organizationId: string) => `/organizations/${segment(organizationId)}`,
  /** People, invites, service accounts and guest links, or one of them. */
  access: (organizationId: string, query: { kind?: AccessKind; open?: string; new?: NewAccess } = {}) =>
    withQuery(`/organizations/${segment(organizationId)}/access`, query),
  connections: (organizationId: string) => `/organizations/${segment(organizationId)}/connections`,
  settings: (organizationId: string, section?: SettingsSection) =>
    `/organizations/${segment(organizationId)}/settings${section === undefined ? '' : `/${section}`}`,
  audit: (organizationId: string) => `/organizations/${segment(organizationId)}/audit`,
  webhook: (organizationId: string, webhookId: string) =>
    `/organizations/${segment(organizationId)}/webhooks/${segment(webhookId)}`,
  alerts: (organizationId: string) => `/organizations/${segment(organizationId)}/alerts`,
  monitoring: (organizationId: string) => `/organizations/${segment(organizationId)}/monitoring`,
  /** Leads to Grafana where it is configured, and otherwise to the page above. */
  openMonitoring: (organizationId: string) => `/organizations/${segment(organizationId)}/monitoring/open`,
  map: (organizationId: string) => `/organizations/${segment(organizationId)}/map`,
  controllers: (organizationId: string) => `/organizations/${segment(organizationId)}/controllers`,
  /** The controller wherever it belongs: looks its organization up. */
  findController: (serialNumber: string) => `/controllers/${segment(serialNumber.toUpperCase())}`,
  controller: (organizationId: string, serialNumber: string) =>
    `/organizations/${segment(organizationId)}/controllers/${segment(serialNumber.toUpperCase())}`,
  login: (query: { redirect?: string; email?: string } = {}) => withQuery('/login', query),
  /** Where people sign in by the identity provider of their organization. */
  organizationLogin: (organizationId: string) => `/login/organization/${segment(organizationId)}`,
  connect: (protocol: PageProtocol, serialNumber: string, query: { port?: string } = {}) =>
    withQuery(`/connect/${protocol}/${segment(serialNumber.toUpperCase())}/`, query),
  signup: (query: { token?: string; email?: string } = {}) => withQuery('/signup', query),
  signupConfirm: (token: string) => `/signup/confirm/${segment(token)}/`,
  guest: () => '/guest/',
  invite: (query: { token?: string } = {}) => withQuery('/invite', query),
  passwordReset: () => '/password-reset/',
  passwordResetConfirm: (uid: string, token: string) => `/password-reset/${segment(uid)}/${segment(token)}/`,
  passwordChange: () => '/password-change',
  security: () => '/security',
  /** Where people type the code of a program that logs in. */
  device: () => '/device',
  installation: () => '/installation',
} as const;
