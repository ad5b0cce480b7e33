import {
  type Controller,
  type NamedEndpoint,
  type Overview,
  type Role,
  type RouteName,
  routes,
} from '@pult/contract';

interface Call {
  params: Record<string, string>;
  query: Record<string, string>;
  body: unknown;
}

/** What a call answers: JSON of status 200, or an error made by `refuse` and its like. */
type Answer = (call: Call) => unknown;
export type Answers = Partial<Record<RouteName, Answer>>;

export const organization = {
  id: '01890a5d-ac96-774b-bcce-b302099a8057',
  name: 'Boiler Works',
  totpRequired: false,
  userRole: 'owner' as 'owner' | 'admin' | 'member' | 'viewer',
};

export function makeController(changes: Partial<Controller> = {}): Controller {
  return {
    id: '01890a5d-ac96-774b-bcce-b302099a8058',
    serialNumber: 'A1B2C3D4',
    description: 'Boiler room',
    firmwareVersion: 'wb-2507',
    latitude: null,
    longitude: null,
    organization: { id: organization.id, name: organization.name },
    group: null,
    activatedAt: '2025-11-01T10:00:00Z',
    status: 'online',
    statusReason: 'link',
    statusSince: '2025-11-20T09:40:00Z',
    isContested: false,
    detachedAt: null,
    userRole: 'owner',
    lastSeenAt: '2025-11-20T09:40:00Z',
    monthTraffic: 12_400_000,
    agentVersion: '0.1.0',
    agentUpdate: null,
    connectionKind: 'agent',
    model: 'Wiren Board 8',
    ...changes,
  };
}

/** A service of a controller by HTTP, as it is first named. */
export function makeService(
  changes: Pick<NamedEndpoint, 'port' | 'name'> & Partial<NamedEndpoint>,
): NamedEndpoint {
  return { scheme: 'http', hostHeader: null, isReserved: false, oldTls: null, ...changes };
}

/** To somebody with this role in the organization, and so at each of its controllers. */
export function asRole(userRole: Role): Answers {
  return {
    getOrganization: () => ({ ...organization, userRole }),
    getController: () => makeController({ userRole }),
    listControllers: () => pageOf(makeController({ userRole })),
  };
}

export function pageOf(...results: Controller[]) {
  return { count: results.length, next: null, previous: null, results };
}

class Refusal {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  constructor(status: number, code: string, detail: string) {
    this.status = status;
    this.code = code;
    this.detail = detail;
  }
}

export function refuse(status: number, code: string, detail = code): Refusal {
  return new Refusal(status, code, detail);
}

const noControllers = { count: 0, countOnline: 0, countOffline: 0, countNever: 0 };

/** Of an organization without controllers. */
export const emptyOverview = {
  ...noControllers,
  attention: [],
  presence: { day: [], month: [] },
  groups: [],
  groupCount: 0,
  firmware: [],
  otherFirmware: { versions: 0, ...noControllers },
  recentlyLost: [],
  recentlyAdded: [],
  connections: { count: 0, results: [] },
  changes: [],
} satisfies Overview;

const ordinary: Answers = {
  getEnvironments: () => ({
    IS_ON_PREMISE: true,
    ON_PREMISE_VERSION: '0.1.0',
    TOTP_AUTH_ENABLED: true,
    MAX_ACTIVATED_CONTROLLERS: 0,
    SERVICE_NAME: 'Pult',
    SERVICE_STATUS_URL: null,
    LANGUAGES: ['ru', 'en'],
    MAP_STYLE_URL: null,
    MAP_TILES_URL: null,
    TUNNEL_DOMAIN: 'localhost',
    MAIL_ENABLED: true,
    PASSKEYS: 'code',
    SIGN_IN_PROVIDER: null,
    PULT_COMMAND: 'pult',
    SSH_JUMP: null,
    WIREN_BOARD: null,
    WIREN_BOARD_OFF: { reason: 'no_name', names: ['localhost'], port: 7107 },
  }),
  getCurrentUser: () => ({
    id: organization.id,
    email: 'a@example.com',
    totpEnabled: false,
    hasRecoveryCodes: false,
    hasTotpRequiredOrg: false,
    isAdministrator: false,
    locale: 'en',
  }),
  listSshKeys: () => [],
  listTokens: () => [],
  listEnrolmentKeys: () => [],
  listWebhooks: () => [],
  listPasskeys: () => [],
  listIdentities: () => [],
  getSignInSettings: () => ({
    provider: null,
    redirectUri: 'https://pult.example/api/v1/auth/callback/',
    signInUrl: `https://pult.example/login/organization/${organization.id}`,
    installationProvider: null,
    isRequired: false,
    breakGlassOwner: null,
  }),
  getGroupGrants: () => ({ rules: [] }),
  listGuestLinks: () => [],
  listOrganizationGuestLinks: () => [],
  listAlerts: () => ({ count: 0, next: null, previous: null, results: [] }),
  listOrganizations: () => [organization],
  getOrganization: () => organization,
  listControllers: () => pageOf(makeController()),
  countControllers: () => ({ count: 1, countOnline: 1, countOffline: 0, countNever: 0 }),
  countAllControllers: () => ({ count: 1 }),
  listEndingCertificates: () => ({ results: [] }),
  getController: () => makeController(),
  listGroups: () => [],
  listServices: () => [],
  getAgentUpdate: () => ({ available: null, comparison: null, latest: null }),
  getWebCache: () => ({ enabled: true, isAvailable: true, savedBytes: 0 }),
  getControllerTraffic: ({ query }) => ({
    month: query.month,
    days: [],
    total: 0,
    budget: null,
    isSaving: false,
  }),
  listLanAddresses: () => ({ addresses: [] }),
  getDiagnostic: () => ({ status: 'not_requested', id: null, created: null }),
  getOverview: () => emptyOverview,
};

/** A `fetch` that answers by the contract's route table, and notes each call. */
export function createFakeApi(answers: Answers) {
  const calls: (Call & { name: RouteName })[] = [];
  const table = Object.entries(routes).map(([name, { method, path }]) => ({
    name: name as RouteName, // Object.entries forgets the keys' type
    method: method as string,
    pattern: new RegExp(`^${path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
  }));

  const fetch = async (input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> => {
    const url = new URL(String(input), window.location.origin);
    for (const { name, method, pattern } of table) {
      const match = pattern.exec(url.pathname);
      // Whatever is read by GET may be asked for by HEAD.
      const asked = init.method === 'HEAD' ? 'GET' : (init.method ?? 'GET');
      if (!match || method !== asked) continue;
      const call = {
        name,
        params: { ...match.groups },
        query: Object.fromEntries(url.searchParams),
        body: typeof init.body === 'string' ? JSON.parse(init.body) : undefined,
      };
      calls.push(call);
      // Answers come at once: an app that goes round in circles would never leave the test its turn to end.
      if (calls.length > 5000) throw new Error('the app goes round in circles');
      return respond(url, await (answers[name] ?? ordinary[name])?.(call));
    }
    throw new TypeError(`no such route: ${init.method} ${url.pathname}`);
  };
  return { fetch, calls, callsOf: (name: RouteName) => calls.filter((call) => call.name === name) };
}

/** Fields that were refused, each with its messages. */
export function refuseFields(fields: Record<string, string[]>): Response {
  return Response.json(fields, {
    status: 400,
    headers: { 'content-type': 'application/json; charset=utf-8' },
  });
}

/** `retryAfter`: seconds. */
export function throttle(retryAfter: number): Response {
  const body = { detail: 'Too many attempts.', code: 'too_many_attempts' };
  const headers = { 'content-type': 'application/json; charset=utf-8', 'retry-after': String(retryAfter) };
  return Response.json(body, { status: 429, headers });
}

function respond(url: URL, answer: unknown): Response {
  if (answer instanceof Response) return answer;
  const refused = answer instanceof Refusal;
  const body = refused ? { detail: answer.detail, code: answer.code } : answer;
  const response = new Response(body === undefined ? null : JSON.stringify(body), {
    status: refused ? answer.status : body === undefined ? 204 : 200,
    headers: { 'content-type': 'application/json; charset=utf-8' },
  });
  Object.defineProperty(response, 'url', { value: url.href });
  return response;
}
