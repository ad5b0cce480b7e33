import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type AgentVersion, agentVersions, makeTempDir, WirenBoardAgent } from '@pult/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWirenBoardFixture, type WirenBoardFixture } from '../wiren-board.fixture.ts';

/** What the versions of the vendor's agent do by themselves, and at their worst. */

let fixture: WirenBoardFixture;
let folder: Awaited<ReturnType<typeof makeTempDir>>;
beforeAll(async () => {
  folder = await makeTempDir('console');
  await writeFile(join(folder.path, 'index.html'), '<!doctype html><title>Pult</title>');
  fixture = await createWirenBoardFixture({ isTls: false, consoleDirectory: folder.path });
});
afterAll(async () => {
  await fixture.close();
  await folder.remove();
});

let count = 0;
async function createAgent(version: AgentVersion): Promise<WirenBoardAgent> {
  count += 1;
  return new WirenBoardAgent(await fixture.createDevice(`AGENT${count}`), version);
}
const claim = ({ device }: WirenBoardAgent) => fixture.claim(device.activationLink ?? '');
async function getController({ device }: WirenBoardAgent) {
  const params = { serialNumber: device.serialNumber };
  return (await fixture.server.call('getController', { as: fixture.owner, params })).body;
}

/** Something before the server answers that request so often in its place. */
function answerBefore(agent: WirenBoardAgent, begin: string, status: number | undefined, times = 1): void {
  let left = times;
  agent.between = (request) => {
    if (left === 0 || !request.startsWith(begin)) return undefined;
    left -= 1;
    return { status };
  };
}

const versions = Object.keys(agentVersions) as AgentVersion[];
const [starting, telling, polling] = [
  'GET agent-start-up/',
  'PUT update_device_data/',
  'GET events/',
] as const;

describe.each(versions)('an agent %s', (version) => {
  const { probes, tellsRevisionAtOnce, endsOnFailedStart } = agentVersions[version];

  it('an agent starts, is claimed, is told its tunnel, and says what it is', async () => {
    const agent = await createAgent(version);
    agent.hardwareRevision = '7.4.2';
    expect(await agent.run()).toBe(true);
    const calls = tellsRevisionAtOnce ? [telling, starting, telling] : [starting, telling, telling];
    expect(agent.requests).toEqual([...(probes ? ['HEAD /'] : []), ...calls, polling]);
    expect((await claim(agent)).status).toBe(200);
    await agent.run();
    expect(agent.device.confirmed).toEqual(['update_tunnel_config']);
    expect(agent.device.tunnelConfig).toMatchObject({ plugin: 'http_proxy' });
    expect(await getController(agent)).toMatchObject({
      model: 'Wiren Board 7.4.2',
      agentVersion: version,
    });
    await agent.run();
    expect(agent.device.confirmed).toHaveLength(1);
  });

  it.each([starting, telling])(
    'an agent whose %s was answered by a proxy alone comes in later',
    async (call) => {
      const agent = await createAgent(version);
      answerBefore(agent, call, undefined, 9);
      const goesOn = await agent.run();
      expect([goesOn, agent.isInitialized]).toEqual([!endsOnFailedStart, false]);
      expect(await agent.run()).toBe(true);
      expect(agent.isInitialized).toBe(true);
      expect((await claim(agent)).status).toBe(200);
    },
  );

  it('an agent that cannot read an answer behind an error asks again, and is shown the same link', async () => {
    const agent = await createAgent(version);
    await agent.run();
    const { activationLink } = agent.device;
    agent.isInitialized = false;
    answerBefore(agent, starting, 503);
    expect(await agent.run()).toBe(!endsOnFailedStart);
    await agent.run();
    expect(agent.device.activationLink).toBe(activationLink);
  });

  it('an event that the agent cannot read, or whose confirmation is lost, comes again until it is confirmed', async () => {
    const agent = await createAgent(version);
    await agent.run();
    await claim(agent);
    answerBefore(agent, polling, 503);
    await agent.run();
    expect(agent.device.confirmed).toEqual([]);
    answerBefore(agent, 'POST events/', undefined, 9);
    await agent.run();
    expect([agent.device.confirmed, agent.device.activationLink]).toEqual([[], 'unknown']);
    await agent.run();
    await agent.run();
    expect(agent.device.confirmed).toEqual(['update_tunnel_config']);
  });

  it('an agent whose broker tells nonsense of the hardware is told its tunnel all the same', async () => {
    const agent = await createAgent(version);
    agent.hardwareRevision = `7.4\n\u0000${'x'.repeat(300)}`;
    expect([await agent.run(), agent.isInitialized]).toEqual([true, true]);
    await claim(agent);
    await agent.run();
    expect(agent.device.confirmed).toEqual(['update_tunnel_config']);
    expect(await getController(agent)).toMatchObject({ model: 'Wiren Board', agentVersion: version });
  });
});

it.each(versions.filter((version) => agentVersions[version].logBytes > 0))(
  'the log of a collector that fails is taken from an agent %s, however long it may be',
  async (version) => {
    const agent = await createAgent(version);
    await agent.run();
    const log = 'ошибка\n'.repeat(agentVersions[version].logBytes / 13);
    expect(await agent.sendCollectorLog(log)).toBe(200);
  },
);

describe('a packed body', () => {
  const send = async (body: Buffer) => {
    const { device } = await createAgent('1.8.3');
    return device.call('POST', 'metrics-collector-log/', { body, headers: { 'content-encoding': 'gzip' } });
  };

  it('a packed body that is much larger than it looks is refused', async () => {
    const bomb = gzipSync(JSON.stringify({ reason: '', log: 'a'.repeat(8_000_000) }));
    expect(bomb.length).toBeLessThan(16_000);
    expect((await send(bomb)).status).toBe(413);
  });

  it('a packed body that is cut off, or not packed at all, is no call', async () => {
    const whole = gzipSync(JSON.stringify({ reason: '', log: 'a'.repeat(1000) }));
    for (const body of [whole.subarray(0, whole.length - 9), Buffer.from('{"log":"a"}'), Buffer.alloc(0)])
      expect((await send(body)).status).toBe(400);
  });
});
