import type { Core } from '../../../platform/core.ts';
import { DomainError } from '../../../platform/errors.ts';
import { createSecretToken } from '../../../platform/ids.ts';
import type { KeyedMutex } from '../../../platform/mutex.ts';
import { dashboard, describeDatasource } from './dashboard.ts';
import type { GrafanaOrganization, GrafanaRepository } from './grafana.repository.ts';
import type { GrafanaClient } from './grafana-client.ts';
import { loginInGrafana } from './grafana-role.ts';

interface Dependencies {
  client: GrafanaClient;
  repository: GrafanaRepository;
  /** One organization at a time: two that make it together would only get into each other's way. */
  mutex: KeyedMutex;
  /** Of an organization's data source: where it is, and what opens it. */
  datasourceOf: (organizationId: string) => { url: string; token: string };
}

/**
 * Keeps Grafana as the console has it: an organization for each, the members who have opened it, and their roles. What
 * is to be done is written down before it is begun and forgotten after it is done, and each call can be made twice.
 */
export function createGrafanaSync({ log }: Core, { client, repository, mutex, datasourceOf }: Dependencies) {
  async function find(organizationId: string): Promise<GrafanaOrganization | undefined> {
    return (await repository.listOrganizations(organizationId))[0];
  }

  /** Grafana's own id of it. One whose id is known and gone in Grafana is made anew. */
  async function makeOrganization(known: GrafanaOrganization): Promise<number> {
    const { organizationId, grafanaId } = known;
    if (grafanaId !== null && (await client.hasOrganization(grafanaId))) return grafanaId;
    if (grafanaId !== null) await repository.deleteMembers(organizationId);
    // By a name that says whose it is: whoever comes second, or after a crash, finds it.
    const made = await client.ensureOrganization(`Pult ${organizationId}`);
    await repository.updateOrganization(organizationId, { grafanaId: made, name: null, revision: null });
    known.toldName = null;
    known.revision = null;
    return made;
  }

  async function completeOrganization(known: GrafanaOrganization): Promise<number> {
    const { organizationId, name } = known;
    const id = await makeOrganization(known);
    const { url, token } = datasourceOf(organizationId);
    const model = {
      ...describeDatasource(url, organizationId),
      secureJsonData: { basicAuthPassword: token },
    };
    const revision = `${dashboard.version} ${url}`;
    if (known.revision !== revision) {
      await client.putDatasource(id, model);
      await client.putDashboard(id, dashboard.model);
    }
    // Names of organizations are unique in Grafana, and here they are not.
    if (known.toldName !== name) await client.renameOrganization(id, `${name} (${organizationId})`);
    if (known.revision !== revision || known.toldName !== name) {
      await repository.updateOrganization(organizationId, { grafanaId: id, name, revision });
    }
    return id;
  }

  async function makeMember(organizationId: string, grafanaId: number, userId: string): Promise<void> {
    await repository.addMember(organizationId, userId);
    const [member] = await repository.listMembers(organizationId, userId);
    if (!member?.role || !member.email) throw new DomainError('organization_not_found');
    if (member.toldRole === member.role) return;
    const user = {
      login: loginInGrafana(organizationId, userId),
      name: member.email,
      // Nobody knows it, and nobody needs it: the proxy says who it is.
      password: createSecretToken(),
    };
    const id = await client.ensureMember(grafanaId, user, member.role);
    await repository.updateMember(organizationId, userId, { grafanaId: id, role: member.role });
  }

  /** What of the members is not as the console has it; those who left are deleted in Grafana. */
  async function syncMembers(organizationId: string, grafanaId: number): Promise<void> {
    for (const member of await repository.listMembers(organizationId)) {
      if (member.role !== null) {
        if (member.role !== member.toldRole) await makeMember(organizationId, grafanaId, member.userId);
        continue;
      }
      // One without an id may have been made all the same, before a crash: it is found by its login.
      const id = member.grafanaId ?? (await client.findUser(loginInGrafana(organizationId, member.userId)));
      if (id !== undefined) await client.deleteUser(id);
      await repository.deleteMember(organizationId, member.userId);
    }
  }

  async function syncOrganization(known: GrafanaOrganization): Promise<void> {
    const { organizationId } = known;
    const isDeleted = known.name === null;
    const grafanaId = isDeleted ? known.grafanaId : await completeOrganization(known);
    await syncMembers(organizationId, grafanaId ?? 0);
    if (!isDeleted) return;
    if (grafanaId !== null) await client.deleteOrganization(grafanaId);
    await repository.deleteOrganization(organizationId);
  }

  return {
    /** Makes what a member needs to look at Grafana. Grafana's id of the organization; throws `grafana_unavailable`. */
    async ensure(organizationId: string, userId: string): Promise<number> {
      await repository.addOrganization(organizationId);
      return mutex.runExclusive(organizationId, async () => {
        const known = await find(organizationId);
        if (!known?.name) throw new DomainError('organization_not_found');
        const id = await completeOrganization(known);
        await makeMember(organizationId, id, userId);
        return id;
      });
    },

    /** Run by a job every minute: what was begun and not done, and what changed in the console since. */
    async run(): Promise<void> {
      for (const { organizationId } of await repository.listOrganizations()) {
        try {
          await mutex.runExclusive(organizationId, async () => {
            const known = await find(organizationId);
            if (known) await syncOrganization(known);
          });
        } catch (error) {
          // Told to the log already; the next minute tries again, and another organization may go well.
          if (!(error instanceof DomainError)) throw error;
          log.warn({ organizationId }, 'Grafana is not as it should be yet');
          if (error.code !== 'grafana_unavailable') throw error;
        }
      }
    },
  };
}
export type GrafanaSync = ReturnType<typeof createGrafanaSync>;
