import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentUpdateState } from '@pult/contract';
import { createDeviceKey, getPublicKey } from '@pult/link';
import { createListeningServer, type ListeningServer, type TestUser } from '@pult/testkit/in-process';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { version } from '../../version.ts';
import { createAgentDirectory } from './agent-directory.fixture.ts';
import { asVersion, buildAgent, installAgent, type LaunchedAgent } from './launched-agent.fixture.ts';

let built: string;
let directory: Awaited<ReturnType<typeof createAgentDirectory>>;
let server: ListeningServer | undefined;
let agent: LaunchedAgent | undefined;
let owner: TestUser;

beforeAll(async () => {
  built = await buildAgent();
});
afterEach(async () => {
  await agent?.stop();
  await server?.close();
  await directory.remove();
  agent = server = undefined;
});

const params = { serialNumber: 'LAUNCHED-1' };
/** Than the built agent, whose version is the server's. */
const newer = '99.0.0';

/** A server that carries this version, and a controller whose installed agent is the built one. */
async function setUp(offered: string, program: string, probation?: number) {
  directory = await createAgentDirectory(offered, program);
  const started = await createListeningServer({ agentDirectory: directory.path });
  server = started;
  owner = await started.createUser();
  const organization = await started.createOrganization(owner);
  const machine = await installAgent({ serverUrl: started.publicUrl, ...params, probation });
  agent = machine;
  const token = await machine.waitForToken();
  const body = { token, organization };
  expect((await started.call('activateController', { as: owner, body })).status).toBe(200);
  await waitForVersion(version);
  const call = async (
    name: 'getAgentUpdate' | 'requestAgentUpdate',
    request?: { mayDowngrade?: boolean },
  ) => {
    const answer = await started.call(name, { as: owner, params, ...(request ? { body: request } : {}) });
    return answer as typeof answer & { body: AgentUpdateState };
  };
  return { server: started, agent: machine, call };
}

/** Of the agent that is linked, as the server knows it. */
async function waitForVersion(agentVersion: string): Promise<void> {
  await vi.waitFor(async () => {
    const { body } = (await server?.call('getController', { as: owner, params })) ?? {};
    expect(body).toMatchObject({ agentVersion, status: 'online' });
  }, 25_000);
}

async function waitForEnd(call: () => Promise<{ body: AgentUpdateState }>) {
  return vi.waitFor(async () => {
    const { latest } = (await call()).body;
    if (latest?.finished) return latest;
    throw new Error(`the update is ${latest?.status}\n${agent?.output()}`);
  }, 28_000);
}

it('brings an agent to the version of the server, which it keeps over its next start', async () => {
  const { agent: machine, call } = await setUp(newer, asVersion(built, newer));
  expect((await call('getAgentUpdate')).body).toEqual({
    available: newer,
    comparison: 'older',
    latest: null,
  });
  expect(await call('requestAgentUpdate', {})).toMatchObject({
    status: 202,
    body: {
      latest: {
        status: expect.stringMatching(/^(waiting|running)$/),
        fromVersion: version,
        toVersion: newer,
      },
    },
  });
  expect(await waitForEnd(() => call('getAgentUpdate'))).toMatchObject({ status: 'done', detail: null });
  await waitForVersion(newer);
  expect((await call('getAgentUpdate')).body.comparison).toBe('same');
  expect(await call('requestAgentUpdate', {})).toMatchObject({
    status: 409,
    body: { code: 'agent_up_to_date' },
  });
  const before = machine.pid;
  if (before) process.kill(before, 'SIGKILL');
  await vi.waitFor(() => expect(machine.pid).not.toBe(before));
  await waitForVersion(newer);
}, 60_000);

it.each([
  [
    'ends at once',
    `throw new Error('no such board');\n`,
    undefined,
    /^it ended with 1 before it linked: .*no such board/,
  ],
  ['never links', 'setInterval(() => {}, 1000);\n', 1, /^it did not link within 1 s/],
])(
  'returns to the version before from one that %s, and says why',
  async (_, program, probation, reason) => {
    const { call } = await setUp(newer, program, probation);
    await call('requestAgentUpdate', {});
    expect(await waitForEnd(() => call('getAgentUpdate'))).toMatchObject({
      status: 'returned',
      detail: expect.stringMatching(reason),
    });
    await waitForVersion(version);
  },
  60_000,
);

it('takes nothing that another key has signed', async () => {
  const { agent: machine, call } = await setUp(newer, asVersion(built, newer));
  const file = join(machine.stateDir, 'update-key.json');
  const pinned = await readFile(file, 'utf8');
  const another = getPublicKey(createDeviceKey()).toString('base64url');
  await writeFile(file, pinned.replace(/"key": "[^"]+"/, `"key": "${another}"`));
  await call('requestAgentUpdate', {});
  expect(await waitForEnd(() => call('getAgentUpdate'))).toMatchObject({
    status: 'failed',
    reason: 'refused',
    detail: 'the update is not signed by the key that this agent knows',
  });
  await waitForVersion(version);
}, 60_000);

it('goes back to an older version only where that was asked for', async () => {
  const { call } = await setUp('0.0.9', asVersion(built, '0.0.9'));
  expect(await call('requestAgentUpdate', {})).toMatchObject({
    status: 409,
    body: { code: 'agent_is_newer' },
  });
  expect((await call('requestAgentUpdate', { mayDowngrade: true })).status).toBe(202);
  expect(await waitForEnd(() => call('getAgentUpdate'))).toMatchObject({ status: 'done' });
  await waitForVersion('0.0.9');
}, 60_000);
