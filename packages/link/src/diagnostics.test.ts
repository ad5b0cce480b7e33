import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { createDeferred } from '@pult/testkit/in-test';
import { expect, test } from 'vitest';
import { ServiceError } from './link-error.ts';
import { createLinkPair } from './testing/link-pair.ts';

async function* parts(count: number): AsyncGenerator<Buffer> {
  for (let part = 0; part < count; part += 1) yield Buffer.alloc(70_000, part);
}

test.each(['upgrade', 'websocket'] as const)(
  'an archive arrives whole, with its checksum after it (%s)',
  async (transport) => {
    const handlers = { collectDiagnostics: async () => parts(50) };
    const { cloud } = await createLinkPair({ transport, handlers });
    const answer = await cloud.openDiagnostics();
    const bytes = await buffer(answer.body);
    expect(bytes.length).toBe(3_500_000);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    expect(answer.getOutcome()).toEqual({ kind: 'whole', sha256 });
  },
);

test('what fails on the way is told by its reason', async () => {
  async function* broken() {
    yield Buffer.from('begun');
    throw new Error('нет места\n\u001b[31m');
  }
  const { cloud } = await createLinkPair({ handlers: { collectDiagnostics: async () => broken() } });
  const answer = await cloud.openDiagnostics();
  expect((await buffer(answer.body)).toString()).toBe('begun');
  expect(answer.getOutcome()).toEqual({ kind: 'failed', reason: 'нет места [31m' });
});

test('a device that has none, and one that is busy, each say so', async () => {
  const { cloud: old } = await createLinkPair();
  await expect(old.openDiagnostics()).rejects.toMatchObject({ code: 'service_unknown' });
  const busy = () => Promise.reject(new ServiceError('service_refused', 'busy'));
  const { cloud } = await createLinkPair({ handlers: { collectDiagnostics: busy } });
  await expect(cloud.openDiagnostics()).rejects.toMatchObject({ code: 'service_refused', reason: 'busy' });
});

test('a cloud that leaves, or loses the line, ends the collecting; what has come is no whole archive', async () => {
  for (const end of ['destroy', 'cut'] as const) {
    const ended = createDeferred();
    const { cloud, line } = await createLinkPair({
      handlers: {
        collectDiagnostics: async (signal) => {
          signal.addEventListener('abort', () => ended.resolve());
          return (async function* () {
            yield Buffer.from('begun');
            await ended.promise;
          })();
        },
      },
    });
    const answer = await cloud.openDiagnostics();
    const read = buffer(answer.body);
    answer.body.once('data', () => (end === 'cut' ? line.reset() : answer.body.destroy()));
    await expect(read).rejects.toThrow();
    expect(answer.getOutcome()).toEqual({ kind: 'unknown' });
    await ended.promise;
  }
});
