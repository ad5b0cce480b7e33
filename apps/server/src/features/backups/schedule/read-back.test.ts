import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { isStored } from './read-back.ts';

const content = randomBytes(100_000);
const written = { size: content.length, sha256: createHash('sha256').update(content).digest('hex') };
const never = new AbortController().signal;
const give = (...chunks: Buffer[]) => isStored(Readable.from(chunks), written, never);

it('what a store gives back is compared with what was written', async () => {
  expect(await give(content.subarray(0, 70_000), content.subarray(70_000))).toBe(true);
  expect(await give()).toBe(false);
  expect(await give(content.subarray(1))).toBe(false);
  expect(await give(content, Buffer.from('x'))).toBe(false);
  expect(await give(randomBytes(content.length))).toBe(false);
});

it('a store that gives bytes for ever is left where they are too many', async () => {
  const endless = Readable.from(
    (function* () {
      for (;;) yield content;
    })(),
  );
  expect(await isStored(endless, written, never)).toBe(false);
  expect(endless.destroyed).toBe(true);
});

it('a store that gives nothing more holds up no server that stops', async () => {
  const end = new AbortController();
  const silent = new Readable({ read() {} });
  const outcome = isStored(silent, written, end.signal);
  end.abort(new Error('the server stops'));
  await expect(outcome).rejects.toThrow('the server stops');
  expect(silent.destroyed).toBe(true);
});
