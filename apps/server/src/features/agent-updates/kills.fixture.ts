import { createListeningServer, type ListeningServer } from '@pult/testkit/in-process';
import { expect, vi } from 'vitest';
import { createAgentDirectory } from './agent-directory.fixture.ts';
import {
  asVersion,
  buildAgent,
  installAgent,
  type LaunchedAgent,
  listProcesses,
} from './launched-agent.fixture.ts';

/** An installed agent that is brought to another version again and again, and killed meanwhile. */
export interface UpdatedAgent {
  agent: LaunchedAgent;
  /** Once the agent is linked; resolves with how the update before this one stands. */
  requestUpdate(): Promise<string | undefined>;
  /** All of its processes, or the one at that share of their list. */
  kill(victim: 'all' | number): Promise<void>;
  /** That it links again, runs, and what is left of the last update comes to an end. */
  expectWell(): Promise<void>;
  close(): Promise<void>;
}

const params = { serialNumber: 'KILLED-1' };

export async function createUpdatedAgent(): Promise<UpdatedAgent> {
  const built = await buildAgent();
  const directory = await createAgentDirectory('99.0.0', asVersion(built, '99.0.0'));
  const server = await createListeningServer({ agentDirectory: directory.path });
  const owner = await server.createUser();
  const organization = await server.createOrganization(owner);
  const agent = await installAgent({ serverUrl: server.publicUrl, ...params, probation: 60 });
  const body = { token: await agent.waitForToken(), organization };
  expect((await server.call('activateController', { as: owner, body })).status).toBe(200);
  const read = async (name: 'getController' | 'getAgentUpdate') =>
    (await server.call(name, { as: owner, params })).body;
  /** The link of one process, and not of one that was killed: the server notices that at once. */
  const waitUntilOnline = () =>
    vi.waitFor(async () => {
      if (agent.pid === undefined) throw new Error('nothing runs');
      expect(await read('getController')).toMatchObject({ status: 'online' });
    }, 20_000);
  return {
    agent,
    async requestUpdate() {
      await waitUntilOnline();
      const { comparison, latest } = (await read('getAgentUpdate')) as {
        comparison: string;
        latest: { status: string } | null;
      };
      if (comparison === 'same') await forgetVersion(server);
      await server.call('requestAgentUpdate', { as: owner, params, body: { mayDowngrade: true } });
      return latest?.status;
    },
    async kill(victim) {
      const pids = await listProcesses(agent.folder);
      const victims = victim === 'all' ? pids : pids.slice(Math.floor(victim * pids.length)).slice(0, 1);
      for (const pid of victims) {
        try {
          process.kill(pid, 'SIGKILL');
        } catch {
          // It has ended by itself.
        }
      }
    },
    async expectWell() {
      await waitUntilOnline();
      await vi.waitFor(async () => {
        const { latest } = (await read('getAgentUpdate')) as { latest: { finished: string | null } };
        if (latest.finished === null) throw new Error(`${JSON.stringify(latest)}\n${agent.output()}`);
      }, 60_000);
      await waitUntilOnline();
      expect(await listProcesses(agent.folder)).not.toEqual([]);
    },
    async close() {
      await agent.stop();
      await server.close();
      await directory.remove();
    },
  };
}

/** As the server sees it, the agent has an older version: what it offers is taken again, by the same file. */
async function forgetVersion({ db }: ListeningServer): Promise<void> {
  await db
    .updateTable('controllers')
    .set({ agent_version: '0.1.0' })
    .where('serial_number', '=', params.serialNumber)
    .execute();
}
