import { setTimeout as delay } from 'node:timers/promises';
import { poll } from '@pult/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  expectAllGoOn,
  expectOnOverSecond,
  expectPageOver,
  expectWholeOverResets,
  type FaultySite,
  startFaultySite,
} from '../../interop/link-faults.fixture.ts';

// Less of each, by the same code, is in every run of `npm test` (tests/interop/link-faults.test.ts).
let faulty: FaultySite;

beforeAll(async () => {
  faulty = await startFaultySite({ METRICS_INTERVAL_SECONDS: '10' });
}, 120_000);
afterAll(() => faulty?.[Symbol.asyncDispose]());

test.each([
  ['with a length', ''],
  ['without a length', '?chunked'],
])('a download %s whose link is reset again and again is whole', (_name, query) =>
  expectWholeOverResets(faulty, { bytes: 30_000_000, query, resets: 5 }),
);

test(
  'a terminal, a WebSocket and a download go on after their line was cut for 8 s, nothing lost or doubled',
  () => expectAllGoOn(faulty, { printed: 200, passed: () => delay(8_000) }),
  60_000,
);

test.each([
  ['both ways', ['there', 'back']],
  ['to the server', ['there']],
  ['to the device', ['back']],
] as const)(
  'a download and a WebSocket whose connection falls silent %s go on over a second one, and the agent never loses its link',
  (_name, ways) => expectOnOverSecond(faulty, { bytes: 12_000_000, ways }),
  60_000,
);

test.each([
  ['5 % loss', { lossShare: 0.05 }],
  ['half a second each way', { delayMs: 500 }],
  ['1 kB a second', { bytesPerSecond: 1000 }],
  ['jitter and small slices', { jitterMs: 50, sliceBytes: 20 }],
] as const)(
  'the link over a line with %s comes back by itself and carries a page',
  (_name, fault) => expectPageOver(faulty, fault),
  60_000,
);

test('nothing that was measured meanwhile is stored twice', async () => {
  const { remote, proxy } = faulty;
  const { api, serialNumber } = remote;
  const readUptimes = async () => {
    const [start, stop] = [-600_000, 60_000].map((ago) => new Date(Date.now() + ago).toISOString());
    if (!start || !stop) throw new Error('two times in, two out');
    const body = { name: 'uptime' as const, start, stop };
    const samples = await api.call('querySystemMetrics', { params: { serialNumber }, body });
    return samples.map(({ value }) => value);
  };
  const before = await readUptimes();
  const since = remote.agent.process.nextLine;
  proxy.reset();
  await remote.agent.waitForLink(since);
  // The line is well again, so what waited is told, and something new after it.
  const uptimes = await poll(
    async () => {
      const now = await readUptimes();
      return now.length > before.length && now;
    },
    { what: 'something new was measured', timeoutMs: 60_000 },
  );
  expect(uptimes.length).toBeGreaterThan(1);
  // The uptime of a machine never repeats: one told twice would show at two times.
  expect(new Set(uptimes).size).toBe(uptimes.length);
}, 90_000);
