import { duplexPair } from 'node:stream';
import { FrpClient, type FrpClientOptions } from '@pult/testkit';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { systemClock } from '../../../../platform/clock.ts';
import type { Enrolment } from '../../enrolments.repository.ts';
import { serveTunnels } from './serve-tunnels.ts';

/** Logs a client in as a claimed controller; what the log says once `act` has ended its connection. */
async function readRefusal(
  options: Partial<FrpClientOptions>,
  act: (client: FrpClient, socket: { end(): void }) => void = () => {},
): Promise<unknown> {
  const lines: Record<string, unknown>[] = [];
  const log = pino({ base: null }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const nothing = () => Promise.reject(new Error('not asked for'));
  const tunnels = serveTunnels({
    enrolments: {
      // What is read of it here.
      getClaimed: async (user) =>
        user === 'KNOWN1'
          ? ({ connection_kind: 'wiren-board', serial_number: user } as unknown as Enrolment)
          : undefined,
      createLoginToken: () => 'its token',
      admitProven: nothing,
    },
    limits: { enterLogin: () => () => {} },
    hold() {},
    uploads: { request: nothing },
    openBroker: () => {
      throw new Error('not asked for');
    },
    telemetryEveryMs: 1_000,
    clock: systemClock,
    log,
  });
  const [ours, theirs] = duplexPair();
  theirs.on('error', () => {});
  tunnels.serve(ours, () => {});
  const client = new FrpClient(theirs, { user: 'KNOWN1', token: 'its token', proxies: [], ...options });
  await expect.poll(() => client.heard.length).toBeGreaterThan(0);
  act(client, theirs);
  await expect.poll(() => lines).toHaveLength(1);
  return lines[0]?.reason;
}

it('the log says why a tunnel of a Wiren Board controller was refused', async () => {
  expect(await readRefusal({ user: 'UNKNOWN1' })).toBe('not_claimed');
  expect(await readRefusal({ token: 'forged' })).toBe('not_proven');
  expect(await readRefusal({}, (_, socket) => socket.end())).toBe('line_lost');
  // A message that frpc never sends.
  expect(await readRefusal({}, (client) => client.say('?', {}))).toBe('no_proxy');
});
