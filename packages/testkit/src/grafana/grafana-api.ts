import { findByLogin, type GrafanaState } from './grafana-state.ts';

interface ApiCall {
  method: string;
  path: string;
  query: URLSearchParams;
  body: Record<string, unknown>;
  /** By X-Grafana-Org-Id. */
  organizationId: number;
}

interface ApiAnswer {
  status: number;
  body: unknown;
}

const ok = (body: unknown): ApiAnswer => ({ status: 200, body });
const refuse = (status: number, message: string): ApiAnswer => ({ status, body: { message } });

type Handler = (state: GrafanaState, call: ApiCall, ...ids: number[]) => ApiAnswer;

const missing = refuse(404, 'not found');

/**
 * The calls of https://grafana.com/docs/grafana/latest/developers/http_api/ that an administrator makes, with the
 * statuses that are documented there or, where it says none, that Grafana's source has.
 */
const calls: readonly [method: string, path: RegExp, handler: Handler][] = [
  [
    'POST',
    /^\/api\/orgs$/,
    (state, { body }) => {
      const name = String(body.name);
      if ([...state.organizations.values()].some((known) => known.name === name)) {
        return refuse(409, 'Organization name taken');
      }
      state.lastId += 1;
      state.organizations.set(state.lastId, { name, members: new Map([[1, 'Admin']]) });
      return ok({ orgId: state.lastId, message: 'Organization created' });
    },
  ],
  [
    'GET',
    /^\/api\/orgs\/(\d+)$/,
    (state, _, id = 0) => {
      const found = state.organizations.get(id);
      return found ? ok({ id, name: found.name }) : refuse(404, 'Organization not found');
    },
  ],
  [
    'PUT',
    /^\/api\/orgs\/(\d+)$/,
    (state, { body }, id = 0) => {
      const name = String(body.name);
      if ([...state.organizations].some(([key, known]) => key !== id && known.name === name)) {
        return refuse(400, 'Organization name taken');
      }
      const found = state.organizations.get(id);
      if (found) found.name = name;
      return ok({ message: 'Organization updated' });
    },
  ],
  [
    'DELETE',
    /^\/api\/orgs\/(\d+)$/,
    (state, _, id = 0) =>
      state.organizations.delete(id) ? ok({ message: 'Organization deleted' }) : missing,
  ],
  [
    'GET',
    /^\/api\/orgs\/name\/[^/]+$/,
    (state, { path }) => {
      const name = decodeURIComponent(path.split('/').at(-1) ?? '');
      const [id] = [...state.organizations].find(([, known]) => known.name === name) ?? [];
      return id === undefined ? refuse(404, 'Organization not found') : ok({ id, name });
    },
  ],
  [
    'POST',
    /^\/api\/orgs\/(\d+)\/users$/,
    (state, { body }, id = 0) => {
      const userId = findByLogin(state, String(body.loginOrEmail));
      const members = state.organizations.get(id)?.members;
      if (userId === undefined || !members) return missing;
      if (members.has(userId)) return refuse(409, 'User is already member of this organization');
      members.set(userId, String(body.role));
      return ok({ message: 'User added to organization', userId });
    },
  ],
  [
    'PATCH',
    /^\/api\/orgs\/(\d+)\/users\/(\d+)$/,
    (state, { body }, id = 0, userId = 0) => {
      const members = state.organizations.get(id)?.members;
      if (!members?.has(userId)) return missing;
      members.set(userId, String(body.role));
      return ok({ message: 'Organization user updated' });
    },
  ],
  [
    'DELETE',
    /^\/api\/orgs\/(\d+)\/users\/(\d+)$/,
    (state, _, id = 0, userId = 0) => {
      state.organizations.get(id)?.members.delete(userId);
      return ok({ message: 'User removed from organization' });
    },
  ],
  [
    'POST',
    /^\/api\/admin\/users$/,
    (state, { body }) => {
      const login = String(body.login);
      if (String(body.password ?? '').length < 4) return refuse(400, 'Password is missing or too short');
      if (findByLogin(state, login) !== undefined) return refuse(412, `User '${login}' already exists`);
      const organization = state.organizations.get(Number(body.OrgId));
      if (!organization) return refuse(400, 'organization not found');
      state.lastId += 1;
      state.users.set(state.lastId, { login, name: String(body.name ?? '') });
      organization.members.set(state.lastId, 'Viewer');
      return ok({ id: state.lastId, message: 'User created' });
    },
  ],
  [
    'DELETE',
    /^\/api\/admin\/users\/(\d+)$/,
    (state, _, id = 0) => {
      if (!state.users.delete(id)) return refuse(404, 'user not found');
      for (const { members } of state.organizations.values()) members.delete(id);
      return ok({ message: 'User deleted' });
    },
  ],
  [
    'GET',
    /^\/api\/users\/lookup$/,
    (state, { query }) => {
      const login = query.get('loginOrEmail') ?? '';
      const id = findByLogin(state, login);
      return id === undefined ? refuse(404, 'user not found') : ok({ id, login });
    },
  ],
  [
    'GET',
    /^\/api\/users\/(\d+)\/orgs$/,
    (state, _, id = 0) =>
      ok(
        [...state.organizations].flatMap(([orgId, { name, members }]) =>
          members.has(id) ? [{ orgId, name, role: members.get(id) }] : [],
        ),
      ),
  ],
  [
    'POST',
    /^\/api\/datasources$/,
    (state, { body, organizationId }) => {
      const key = `${organizationId} ${body.uid}`;
      if (state.datasources.has(key)) return refuse(409, 'data source with the same uid already exists');
      state.datasources.set(key, body);
      return ok({ id: state.datasources.size, message: 'Datasource added' });
    },
  ],
  [
    'PUT',
    /^\/api\/datasources\/uid\/[\w-]+$/,
    (state, { path, body, organizationId }) => {
      const key = `${organizationId} ${path.split('/').at(-1)}`;
      if (!state.datasources.has(key)) return refuse(404, 'Data source not found');
      state.datasources.set(key, body);
      return ok({ message: 'Datasource updated' });
    },
  ],
  [
    'POST',
    /^\/api\/dashboards\/db$/,
    (state, { body, organizationId }) => {
      const { uid = '' } = body.dashboard as { uid?: string }; // as it is documented
      const key = `${organizationId} ${uid}`;
      if (state.dashboards.has(key) && body.overwrite !== true) return refuse(412, 'already exists');
      state.dashboards.set(key, body.dashboard as Record<string, unknown>); // any JSON
      return ok({ uid, status: 'success', version: 1 });
    },
  ],
];

/** Answers a call of the administrator. */
export function answerAdministrator(state: GrafanaState, call: ApiCall): ApiAnswer {
  for (const [method, path, handler] of calls) {
    const match = method === call.method ? path.exec(call.path) : null;
    if (!match) continue;
    const isOfOrganization = /datasources|dashboards/.test(call.path);
    const isMember = state.organizations.get(call.organizationId)?.members.has(1) === true;
    if (isOfOrganization && !isMember) return refuse(403, 'not a member of the organization');
    return handler(state, call, ...match.slice(1).map(Number));
  }
  return missing;
}
