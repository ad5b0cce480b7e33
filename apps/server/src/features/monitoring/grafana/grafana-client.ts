import { z } from 'zod';
import type { GrafanaSettings } from '../../../config/config.ts';
import type { GrafanaRole } from '../../../platform/db/schema.ts';
import { DomainError } from '../../../platform/errors.ts';
import type { Logger } from '../../../platform/log.ts';

interface Call {
  body?: unknown;
  /** Of Grafana's; without it the call is about none in particular. */
  organizationId?: number;
  /** Answers besides success that the caller knows what to do with. */
  expects?: readonly number[];
}

interface Answer {
  status: number;
  body: Readonly<Record<string, unknown>>;
}

/**
 * The calls of Grafana's HTTP API that this server makes, as its documentation has them. Each may be made again: what is
 * there already is taken as it is. Organizations and users are administered with basic authentication alone, for
 * service tokens belong to one organization. Throws `grafana_unavailable`.
 */
export function createGrafanaClient(settings: GrafanaSettings, log: Logger, timeoutMs = 10_000) {
  const credentials = `${settings.adminUser}:${settings.adminPassword}`;
  const authorization = `Basic ${Buffer.from(credentials).toString('base64')}`;

  async function send(method: string, path: string, { body, organizationId }: Call): Promise<Answer> {
    const response = await fetch(settings.url + path, {
      method,
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
      headers: {
        authorization,
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(organizationId === undefined ? {} : { 'x-grafana-org-id': String(organizationId) }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer: unknown = await response.json().catch(() => undefined);
    // Some answers are lists; what is asked of them is read by name all the same.
    return { status: response.status, body: { ...(answer ?? {}) } };
  }

  async function call(method: string, path: string, options: Call = {}): Promise<Answer> {
    let answer: Answer;
    try {
      answer = await send(method, path, options);
    } catch (error) {
      log.warn({ err: error, path }, 'Grafana does not answer');
      throw new DomainError('grafana_unavailable');
    }
    const { status, body } = answer;
    if (status === 200 || options.expects?.includes(status)) return answer;
    log.error({ method, path, status, message: String(body.message) }, 'Grafana refused a call');
    throw new DomainError('grafana_unavailable');
  }

  function readId(value: unknown): number {
    if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) return value;
    log.error('Grafana answered without an id');
    throw new DomainError('grafana_unavailable');
  }

  async function findUser(login: string): Promise<number | undefined> {
    const query = new URLSearchParams({ loginOrEmail: login });
    const { status, body } = await call('GET', `/api/users/lookup?${query}`, { expects: [404] });
    return status === 404 ? undefined : readId(body.id);
  }

  return {
    /** Its id; the caller becomes its administrator, as Grafana makes whoever creates one. */
    async ensureOrganization(name: string): Promise<number> {
      const made = await call('POST', '/api/orgs', { body: { name }, expects: [409] });
      if (made.status === 200) return readId(made.body.orgId);
      const { body } = await call('GET', `/api/orgs/name/${encodeURIComponent(name)}`);
      return readId(body.id);
    },

    async hasOrganization(id: number): Promise<boolean> {
      return (await call('GET', `/api/orgs/${id}`, { expects: [404] })).status === 200;
    },

    async renameOrganization(id: number, name: string): Promise<void> {
      await call('PUT', `/api/orgs/${id}`, { body: { name } });
    },

    async deleteOrganization(id: number): Promise<void> {
      await call('DELETE', `/api/orgs/${id}`, { expects: [404] });
    },

    async putDatasource(organizationId: number, datasource: { uid: string }): Promise<void> {
      const options = { organizationId, body: datasource };
      const made = await call('POST', '/api/datasources', { ...options, expects: [409] });
      if (made.status === 409) await call('PUT', `/api/datasources/uid/${datasource.uid}`, options);
    },

    async putDashboard(organizationId: number, dashboard: object): Promise<void> {
      await call('POST', '/api/dashboards/db', { organizationId, body: { dashboard, overwrite: true } });
    },

    /** The id of the user of this login, who is a member of this organization alone, in this role. */
    async ensureMember(
      organizationId: number,
      user: { login: string; name: string; password: string },
      role: GrafanaRole,
    ): Promise<number> {
      const made = await call('POST', '/api/admin/users', {
        body: { ...user, OrgId: organizationId },
        expects: [412],
      });
      const { login } = user;
      const id = readId(made.status === 200 ? made.body.id : await findUser(login));
      const members = `/api/orgs/${organizationId}/users`;
      const added = await call('POST', members, { body: { loginOrEmail: login, role }, expects: [409] });
      if (added.status === 409) await call('PATCH', `${members}/${id}`, { body: { role } });
      // Without `auto_assign_org` Grafana makes each user an organization of its own.
      const { body } = await call('GET', `/api/users/${id}/orgs`);
      for (const entry of Object.values(body)) {
        const { orgId } = z.object({ orgId: z.number() }).parse(entry);
        if (orgId !== organizationId) await call('DELETE', `/api/orgs/${readId(orgId)}/users/${id}`);
      }
      return id;
    },

    findUser,

    async deleteUser(id: number): Promise<void> {
      await call('DELETE', `/api/admin/users/${id}`, { expects: [404] });
    },
  };
}
export type GrafanaClient = ReturnType<typeof createGrafanaClient>;
