/** What a Grafana keeps, as far as its HTTP API shows it. */
export interface GrafanaState {
  /** Names are unique. */
  organizations: Map<number, { name: string; members: Map<number, string> }>;
  /** Logins are unique. */
  users: Map<number, { login: string; name: string }>;
  /** By organization and uid. */
  datasources: Map<string, Record<string, unknown>>;
  dashboards: Map<string, Record<string, unknown>>;
  /** Of organizations and users. */
  lastId: number;
}

/** The administrator has id 1, and so has the organization of every new Grafana. */
export function createGrafanaState(): GrafanaState {
  return {
    organizations: new Map([[1, { name: 'Main Org.', members: new Map([[1, 'Admin']]) }]]),
    users: new Map([[1, { login: 'admin', name: '' }]]),
    datasources: new Map(),
    dashboards: new Map(),
    lastId: 1,
  };
}

export function findByLogin(state: GrafanaState, login: string | undefined): number | undefined {
  return [...state.users].find(([, user]) => user.login === login)?.[0];
}
