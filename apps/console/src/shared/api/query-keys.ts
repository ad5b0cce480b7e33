/** Query parameters of a list as sent: plain values, absent when not filtered. */
export type Filters = Readonly<Record<string, string | number | boolean | undefined>>;

/**
 * The only place where cache keys are made, but for those of lists in pages (`defineList`). Keys of one subject share their
 * first element, so that the cache rules (spec-coverage: Navigation: when unauthorized) can drop a subject as a whole.
 */
export const queryKeys = {
  environments: ['environments'],
  currentUser: ['currentUser'],
  /** What is typed and not saved; it goes with the session, as all that is kept. */
  draft: (field: string) => ['drafts', field] as const,
  sessions: ['sessions'],
  sshKeys: ['sshKeys'],
  passkeys: ['passkeys'],
  identities: ['identities'],
  signInProvider: (organizationId: string) => ['signInProvider', organizationId] as const,
  tokens: ['tokens'],
  organizations: {
    all: ['organizations'],
    list: ['organizations', 'list'],
    detail: (organizationId: string) => ['organizations', 'detail', organizationId] as const,
    members: (organizationId: string) => ['organizations', 'members', organizationId] as const,
    invites: (organizationId: string) => ['organizations', 'invites', organizationId] as const,
    enrolmentKeys: (organizationId: string) => ['organizations', 'enrolment-keys', organizationId] as const,
    grantsOf: (organizationId: string) => ['organizations', 'grants', organizationId] as const,
    grants: (organizationId: string, controller: string) =>
      ['organizations', 'grants', organizationId, controller] as const,
    services: (organizationId: string, ...part: readonly string[]) =>
      ['organizations', 'services', organizationId, ...part] as const,
    signIn: (organizationId: string) => ['organizations', 'sign-in', organizationId] as const,
    groupGrants: (organizationId: string) =>
      ['organizations', 'sign-in', organizationId, 'group-grants'] as const,
  },
  controllers: {
    all: ['controllers'],
    lists: ['controllers', 'list'],
    list: (filters: Filters) => ['controllers', 'list', filters] as const,
    /** Among the lists, as the same events change it. */
    map: (filters: Filters) => ['controllers', 'list', 'map', filters] as const,
    region: (filters: Filters) => ['controllers', 'region', filters] as const,
    counts: ['controllers', 'count'],
    count: (filters: Filters) => ['controllers', 'count', filters] as const,
    /** Among the counts, as the same events change them; alerts do as well. */
    overviews: ['controllers', 'count', 'overview'],
    overview: (organizationId: string) => ['controllers', 'count', 'overview', organizationId] as const,
    /** What the palette finds in all organizations. */
    search: (text: string) => ['controllers', 'search', text] as const,
    recent: ['controllers', 'recent'],
    /** Of all of them, or how the last ones stand. */
    diagnosticsOf: (serialNumber: string, ...part: readonly 'last'[]) =>
      ['controllers', 'diagnostics', serialNumber.toUpperCase(), ...part] as const,
    agentUpdateOf: (serialNumber: string) =>
      ['controllers', 'agentUpdate', serialNumber.toUpperCase()] as const,
    /** Of all its figures; a name is one of them. */
    metricsOf: (serialNumber: string, ...figure: readonly string[]) =>
      ['controllers', 'metrics', serialNumber.toUpperCase(), ...figure] as const,
    historyOf: (serialNumber: string, ...part: readonly (string | number)[]) =>
      ['controllers', 'history', serialNumber.toUpperCase(), ...part] as const,
    fleetMetrics: (organizationId: string, ...figure: readonly string[]) =>
      ['controllers', 'fleetMetrics', organizationId, ...figure] as const,
    traffic: ['controllers', 'traffic'],
    trafficOf: (serialNumber: string, month: string) =>
      ['controllers', 'traffic', serialNumber.toUpperCase(), month] as const,
    endpointsOf: (serialNumber: string) => ['controllers', 'endpoints', serialNumber.toUpperCase()] as const,
    guestLinks: ['controllers', 'guestLinks'],
    guestLinksIn: (organizationId: string) => ['controllers', 'guestLinks', 'in', organizationId] as const,
    guestLinksOf: (serialNumber: string) =>
      ['controllers', 'guestLinks', serialNumber.toUpperCase()] as const,
    webCacheOf: (serialNumber: string) => ['controllers', 'webCache', serialNumber.toUpperCase()] as const,
    valuesOf: (serialNumber: string) => ['controllers', 'values', serialNumber.toUpperCase()] as const,
    details: ['controllers', 'detail'],
    detail: (serialNumber: string) => ['controllers', 'detail', serialNumber.toUpperCase()] as const,
  },
  alerts: {
    all: ['alerts'],
    rules: (organizationId: string) => ['alerts', 'rules', organizationId] as const,
    count: (organizationId: string) => ['alerts', 'count', organizationId] as const,
  },
  webhooks: {
    all: ['webhooks'],
    list: (organizationId: string) => ['webhooks', 'list', organizationId] as const,
    delivery: (deliveryId: string) => ['webhooks', 'delivery', deliveryId] as const,
  },
  /** What an invite is for, asked before it is accepted. */
  invite: (token: string) => ['invite', token] as const,
  controllersTotal: ['controllersTotal'],
  endingCertificates: ['endingCertificates'],
  installation: {
    all: ['installation'],
    figures: ['installation', 'figures'],
    diagnosis: ['installation', 'diagnosis'],
    nodes: ['installation', 'nodes'],
  },
  groups: {
    all: ['groups'],
    /** Of calls that move many controllers. */
    bulkMoves: (organizationId: string) => ['groups', 'bulkMove', organizationId] as const,
    trafficBudgets: ['groups', 'trafficBudget'],
    trafficBudget: (groupId: string) => ['groups', 'trafficBudget', groupId] as const,
    trees: ['groups', 'tree'],
    /** Those whose counts change with every controller's status. */
    treesOfStatus: ['groups', 'tree', 'ofStatus'],
    tree: (filters: Filters) =>
      ['groups', 'tree', filters.status === undefined ? 'ofAll' : 'ofStatus', filters] as const,
  },
} as const;
