/**
 * Every limit that the server enforces and the console shows. Lengths are in Unicode code points, as zod, JSON
 * Schema and PostgreSQL count; an input field, which counts an emoji as two, only stops earlier.
 */
export const limits = {
  nameLength: 255,
  descriptionLength: 255,
  emailLength: 254,
  passwordMinLength: 8,
  passwordMaxLength: 70,
  filterLength: 255,
  /** Groups that one filter names: of 36 characters and a comma each. */
  groupsPerFilter: 100,
  /** Versions of agents that one filter names. */
  versionsPerFilter: 20,
  versionLength: 64,
  /** Ten years. */
  offlineMinutesMax: 5_256_000,
  totpCodeLength: 6,
  recoveryCodes: 10,
  /** Without the hyphens that make it readable. */
  recoveryCodeLength: 25,
  secretTokenLength: 64,
  sessionsPerCall: 1000,
  activationTokenLength: 64,
  fingerprintLength: 64,
  enrolmentKeyNameLength: 100,
  /** Those that devices can still use. */
  enrolmentKeysPerOrganization: 100,
  enrolmentKeyUsesMax: 100_000,
  serialNumberLength: 36,
  pageSizeDefault: 25,
  pageSizeMax: 5000,
  pageMax: 1_000_000,
  organizationsPerUser: 100,
  /** A tree is answered whole. */
  groupsPerOrganization: 10_000,
  groupLevels: 20,
  /** Named in one call; a filter may match any number. */
  controllersPerCall: 5000,
  /** So many serial numbers of the greatest length fit with room to spare. */
  bulkBodyBytes: 256 * 1024,
  /** Of one answer about one figure. */
  metricPoints: 500,
  /** Of one answer about what a control was. */
  historyPoints: 2000,
  controlsPerHistory: 20,
  controllersPerHistory: 20,
  /** Of a device or a control, as its topic has it. */
  controlIdLength: 200,
  worstControllers: 10,
  mapFeatures: 1000,
  /** What a search across organizations answers: as much as one looks through. */
  foundControllers: 20,
  foundGroups: 10,
  mapZoomMax: 24,
  /** More changes at once are told as "much has changed". */
  eventsPerMessage: 500,
  invitesPerOrganization: 500,
  grantsPerOrganization: 5000,
  grantsPerSubject: 200,
  tunnelPathLength: 2000,
  endpointsPerController: 20,
  endpointNameLength: 60,
  /** Of a host name at its longest, with a port. */
  hostHeaderLength: 260,
  guestLinksPerController: 50,
  guestNameLength: 100,
  guestLinkUsesMax: 1000,
  /** With the last of them a guest’s link is over. */
  guestPinAttempts: 5,
  guestPinLength: 8,
  /** Kept of one controller, failed ones too; those that have an archive are fewer by the server's settings. */
  diagnosticsPerController: 50,
  privateKeyLength: 16_384,
  sshKeysPerUser: 50,
  sshKeyNameLength: 100,
  /** As people paste it, with options and a comment. */
  sshPublicKeyLength: 16_384,
  /** Open at a time, of one user or service account at one node: a browser has one for each organization. */
  eventStreamsPerUser: 200,
  tokensPerAccount: 100,
  serviceAccountsPerOrganization: 200,
  serviceAccountNameLength: 64,
  tokenNameLength: 100,
  networksPerToken: 20,
  hostNameLength: 63,
  /** Letters of a code that people type, without the hyphen. */
  userCodeLength: 8,
  /** Of an IPv6 network at its longest, with room for blanks. */
  networkLength: 64,
  terminalColumnsMax: 1000,
  terminalRowsMax: 1000,
  alertRulesPerOrganization: 100,
  membersPerAlertRule: 50,
  /** A week. */
  alertMinutesMax: 10_080,
  passkeysPerUser: 20,
  identitiesPerUser: 20,
  /** Of a path of the console, where a sign-in ends. */
  returnPathLength: 2000,
  webAddressLength: 2000,
  providerScopesLength: 500,
  providerClientIdLength: 500,
  providerSecretLength: 2000,
  providerAcrValues: 20,
  providerGroupLength: 255,
  /** Of one organization. */
  groupGrants: 200,
  passkeyNameLength: 100,
  /** For people to find their authenticator. */
  passkeySeconds: 120,
  /** Of one part of what an authenticator says, in characters of base64url. */
  passkeyBytes: 16_384,
  webhookUrlLength: 2000,
  webhooksPerOrganization: 20,
  webhookNameLength: 100,
  /** Bytes of a month: 10 TB, and a megabyte, below which a link alone would be over it. */
  trafficBudgetMax: 10 ** 13,
  trafficBudgetMin: 10 ** 6,
  /** Named one by one in a webhook; of more it says how many, by group. */
  controllersPerWebhook: 500,
} as const;

/** From this share of the controllers that may be activated on, people are told that there is little left. */
export const licenseNearShare = 0.98;

/** Seconds. */
export const lifetimes = {
  accessToken: 15 * 60,
  sessionIdle: 30 * 24 * 3600,
  sessionAbsolute: 90 * 24 * 3600,
  /** How long a TOTP confirmation of one scope holds. */
  totpConfirmation: 5 * 60,
  /** What a browser is to answer by a passkey. */
  passkeyChallenge: 5 * 60,
  /** How long one code lets an administrator of the installation look at it. */
  administration: 3600,
  passwordReset: 3600,
  signUpConfirmation: 24 * 3600,
  invite: 7 * 24 * 3600,
  /** The longest that a key for enrolment may be good for: as long as an image of a device is made. */
  enrolmentKey: 5 * 365 * 24 * 3600,
  /** After this, keys for enrolment that are over are forgotten. */
  endedEnrolmentKey: 90 * 24 * 3600,
  /** After this the audit log forgets. */
  auditEvent: 400 * 24 * 3600,
  /** The longest that a token may be good for which has an end. */
  token: 366 * 24 * 3600,
  /** How long a code of a program that logs in can be entered, and how long its token is good for. */
  deviceLogin: 10 * 60,
  deviceToken: 30 * 24 * 3600,
  /** How long somebody may take at their identity provider, and to link an account after it. */
  signIn: 15 * 60,
  /** How long what a provider has said of somebody counts before it is asked again. */
  signInCheck: 3600,
  /** How long a token that is over is still listed. */
  endedToken: 30 * 24 * 3600,
  /** How long a key that `pult ssh` makes for itself logs in at the jump host; what it has opened rests on the session or token. */
  shortSshKey: 5 * 60,
  tunnel: 12 * 3600,
  tunnelTicket: 60,
  /** The longest that a guest’s link may be good for. */
  guestLink: 7 * 24 * 3600,
  /** After this the history of tunnels forgets. */
  tunnelHistory: 90 * 24 * 3600,
  /** How long a shell waits for its page to come back. */
  terminalResume: 60,
  /** How long diagnostics wait for a controller that is offline. */
  diagnosticRequest: 24 * 3600,
  /** How long an update of an agent waits for a controller that is offline. */
  agentUpdateRequest: 30 * 24 * 3600,
  /** How long a deleted group can be had back. Consoles offer it for 10; the rest is for the way here. */
  groupUndo: 15,
  /** After this, alerts that are over are forgotten. */
  alert: 90 * 24 * 3600,
  /** After this the days of traffic are forgotten: a year and the month before it. */
  traffic: 400 * 24 * 3600,
} as const;
