import { randomInt } from 'node:crypto';
import { createListeningServer } from '@pult/testkit/in-process';
import { afterAll, expect, it, vi } from 'vitest';
import { createAgentDirectory } from './agent-directory.fixture.ts';
import { asVersion, buildAgent, installAgent, listProcesses } from './launched-agent.fixture.ts';

/** As many as a run of all tests has time for; by hand `UPDATE_KILLS=100` with a `UPDATE_KILL_SEED` that was printed. */
const kills = Number(process.env.UPDATE_KILLS ?? 6);
const seed = Number(process.env.UPDATE_KILL_SEED ?? randomInt(2 ** 31));
/** Long enough for all that an update does on a busy machine: sending, storing, the new start, its link. */
const longestMs = 4000;

/** Numbers between 0 and 1 that follow from the seed (mulberry32). */
function createRandom(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const stops: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const stop of stops.reverse()) await stop();
});

it(
  'an agent that is killed at any moment of an update runs and links again',
  async () => {
    // For whoever wants the same moments again.
    process.stdout.write(`${kills} kills, UPDATE_KILL_SEED=${seed}\n`);
    const random = createRandom(seed);
    const built = await buildAgent();
    const directory = await createAgentDirectory('99.0.0', asVersion(built, '99.0.0'));
    stops.push(directory.remove);
    const server = await createListeningServer({ agentDirectory: directory.path });
    stops.push(server.close);
    const owner = await server.createUser();
    const organization = await server.createOrganization(owner);
    const params = { serialNumber: 'KILLED-1' };
    const agent = await installAgent({ serverUrl: server.publicUrl, ...params, probation: 60 });
    stops.push(agent.stop);
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

    /** How updates stood when they were hit: all in one state would mean that the moments are not random. */
    const ended = new Map<string, number>();
    for (let kill = 0; kill < kills; kill += 1) {
      await waitUntilOnline();
      const { comparison, latest } = (await read('getAgentUpdate')) as {
        comparison: string;
        latest: { status: string; finished: string | null } | null;
      };
      if (latest) ended.set(latest.status, (ended.get(latest.status) ?? 0) + 1);
      if (comparison === 'same') await forgetVersion(server, params.serialNumber);
      await server.call('requestAgentUpdate', { as: owner, params, body: { mayDowngrade: true } });
      await new Promise((resolve) => setTimeout(resolve, random() * longestMs));
      // A power cut takes all of them at once; the killer of a full memory takes one.
      const pids = await listProcesses(agent.folder);
      const isPowerCut = random() < 0.5;
      const victims = isPowerCut ? pids : pids.slice(Math.floor(random() * pids.length)).slice(0, 1);
      for (const pid of victims) {
        try {
          process.kill(pid, 'SIGKILL');
        } catch {
          // It has ended by itself.
        }
      }
    }
    await waitUntilOnline();
    process.stdout.write(`updates as they were hit: ${JSON.stringify([...ended])}\n`);
    // What is left of the last one comes to an end, too.
    await vi.waitFor(async () => {
      const { latest } = (await read('getAgentUpdate')) as { latest: { finished: string | null } };
      if (latest.finished === null) throw new Error(`${JSON.stringify(latest)}\n${agent.output()}`);
    }, 60_000);
    await waitUntilOnline();
    expect(await listProcesses(agent.folder)).not.toEqual([]);
  },
  Math.max(120_000, kills * 15_000),
);

/** As the server sees it, the agent has an older version: what it offers is taken again, by the same file. */
async function forgetVersion(
  { db }: Awaited<ReturnType<typeof createListeningServer>>,
  serialNumber: string,
) {
  await db
    .updateTable('controllers')
    .set({ agent_version: '0.1.0' })
    .where('serial_number', '=', serialNumber)
    .execute();
}
