import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  createDeviceKey,
  getPublicKey,
  type LinkState,
  signManifest,
  signRotation,
  type UpdateManifest,
  type UpdateOffer,
} from '@pult/link';
import { expect, test } from 'vitest';
import { openStateDir } from '../platform/state-dir.ts';
import { createTempDir } from '../testing/temp-dir.ts';
import { createUpdates } from './updates.ts';

const key = createDeviceKey();
const toText = (each: typeof key) => getPublicKey(each).toString('base64url');
const linkState: LinkState = { activated: true, activationLink: null, metricsIntervalSeconds: 60 };
const file = randomBytes(100_000);

async function* partsOf(bytes: Buffer) {
  for (let at = 0; at < bytes.length; at += 30_000) yield bytes.subarray(at, at + 30_000);
}

const manifest: UpdateManifest = {
  id: '01890000-0000-7000-8000-000000000001',
  serialNumber: 'A1',
  version: '9.0.0',
  size: file.length,
  sha256: createHash('sha256').update(file).digest('hex'),
  mayDowngrade: false,
};

function offerOf(told: object = {}, signer = key, rotations: UpdateOffer['rotations'] = []): UpdateOffer {
  const text = JSON.stringify({ ...manifest, ...told });
  return { manifest: text, signature: signManifest(signer, text), rotations };
}

/** Updates of an agent that knows the key, as another process of it finds them after each `open`. */
function createMachine(told: { isLaunched?: boolean } = {}) {
  const state = openStateDir(createTempDir());
  const slots = join(state.path, 'slots');
  const printed: string[] = [];
  let restarts = 0;
  const open = (tried?: string) =>
    createUpdates({
      env: {
        ...(told.isLaunched === false ? {} : { PULT_SLOTS: slots }),
        ...(tried ? { PULT_UPDATE: tried } : {}),
      },
      state,
      serialNumber: 'A1',
      print: (line) => printed.push(line),
      restart: () => {
        restarts += 1;
      },
    });
  open().noteState({ ...linkState, updateKey: toText(key) });
  return { state, slots, open, printed, countRestarts: () => restarts };
}

test('an update is staged beside what runs, counts once its agent has linked, and the next one goes to the other slot', async () => {
  const { slots, open, countRestarts } = createMachine();
  const update = await open().take(offerOf());
  await update.store(partsOf(file));
  expect(open().report()).toEqual({ id: manifest.id, outcome: 'started' });
  update.start();
  expect(countRestarts()).toBe(1);
  await expect(open().take(offerOf())).rejects.toMatchObject({ reason: 'another update is under way' });
  // The version before it links, because the launcher has not come to it yet: that says nothing of the new one.
  open().noteState(linkState);
  expect(open().report()).toMatchObject({ outcome: 'started' });
  open(manifest.id).noteState(linkState);
  expect(open().report()).toEqual({ id: manifest.id, outcome: 'done' });
  expect(readFileSync(join(slots, 'a.mjs')).equals(file)).toBe(true);
  const id = '01890000-0000-7000-8000-000000000002';
  await (await open().take(offerOf({ id }))).store(partsOf(file));
  expect(readFileSync(join(slots, 'next'), 'utf8')).toMatch(/^b /);
  expect(readFileSync(join(slots, 'current'), 'utf8')).toMatch(/^a /);
});

test.each([
  [
    'of another key',
    offerOf({}, createDeviceKey()),
    'the update is not signed by the key that this agent knows',
  ],
  ['for another controller', offerOf({ serialNumber: 'A2' }), 'the update is for another controller'],
  ['of an older version', offerOf({ version: '0.0.0-before' }), /^version 0\.0\.0-before is older than /],
])('an update %s is not taken', async (_, offer, reason) => {
  const { slots, open } = createMachine();
  await expect(open().take(offer)).rejects.toMatchObject({
    reason: typeof reason === 'string' ? reason : expect.stringMatching(reason),
  });
  expect(existsSync(slots)).toBe(false);
});

test('an older version is taken where that was asked for', async () => {
  const { open } = createMachine();
  await expect(open().take(offerOf({ version: '0.0.0-before', mayDowngrade: true }))).resolves.toBeDefined();
});

test.each([
  ['longer than was signed', Buffer.concat([file, file]), 'the file is longer than was signed'],
  ['cut short', file.subarray(1), 'the file came in part only'],
  ['another one', randomBytes(file.length), 'the file is not the one that was signed'],
])('a file that is %s leaves all as it was', async (_, bytes, reason) => {
  const { slots, open } = createMachine();
  const update = await open().take(offerOf());
  await expect(update.store(partsOf(bytes))).rejects.toThrow(reason);
  expect(readdirSync(slots)).toEqual([]);
  await (await open().take(offerOf())).store(partsOf(file));
});

test('a file that finds no room leaves all as it was, and says so', async () => {
  const { slots, open } = createMachine();
  await (await open().take(offerOf())).store(partsOf(file));
  open(manifest.id).noteState(linkState);
  const before = readdirSync(slots);
  async function* full() {
    yield file.subarray(0, 10);
    // As the disk says it.
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  }
  const id = '01890000-0000-7000-8000-000000000002';
  await expect((await open().take(offerOf({ id }))).store(full())).rejects.toThrow(
    'there is no room for it on the disk',
  );
  expect(readdirSync(slots)).toEqual(before);
  expect(open().report()).toEqual({ id: manifest.id, outcome: 'done' });
});

test('the key that was known first stays, until it hands over to another', async () => {
  const { state, open } = createMachine();
  const [stranger, next] = [createDeviceKey(), createDeviceKey()];
  open().noteState({ ...linkState, updateKey: toText(stranger) });
  await expect(open().take(offerOf({}, stranger))).rejects.toThrow('not signed');
  const rotation = { from: toText(key), to: toText(next), signature: signRotation(key, toText(next)) };
  await (await open().take(offerOf({}, next, [rotation]))).store(partsOf(file));
  expect(state.read('update-key.json')).toEqual({ key: toText(next) });
});

const handOver = (from: typeof key, to: typeof key, signer = from) => ({
  from: toText(from),
  to: toText(to),
  signature: signRotation(signer, toText(to)),
});
const announce = (to: typeof key, ...updateKeyRotations: ReturnType<typeof handOver>[]): LinkState => ({
  ...linkState,
  updateKey: toText(to),
  updateKeyRotations,
});

test('the next key is kept from the announcement of the link on, whatever keys lie between, and the one before counts no more', async () => {
  const { state, open, printed } = createMachine();
  const [second, third] = [createDeviceKey(), createDeviceKey()];
  const rotations = [handOver(key, second), handOver(second, third)];
  open().noteState(announce(third, ...rotations));
  expect(state.read('update-key.json')).toEqual({ key: toText(third) });
  expect(printed).toEqual(['update: the key of the installation was replaced by its own word']);
  await expect(open().take(offerOf({}, key))).rejects.toThrow('not signed');
  await expect(open().take(offerOf({}, third, rotations))).resolves.toBeDefined();
  // A server that does not announce it, such as one restored of a backup, changes nothing.
  open().noteState({ ...linkState, updateKey: toText(key) });
  expect(state.read('update-key.json')).toEqual({ key: toText(third) });
});

test('an announcement that is forged, is for another key or was made before changes no key', () => {
  const { state, open, printed } = createMachine();
  const [second, stranger] = [createDeviceKey(), createDeviceKey()];
  const known = () => (state.read('update-key.json') as { key: string }).key;
  open().noteState(announce(stranger, handOver(key, stranger, stranger)));
  expect(known()).toBe(toText(key));
  expect(printed).toEqual(['update: another key was announced and not signed by the one known']);
  // The word of a key for another one, put to a third.
  open().noteState(announce(stranger, { ...handOver(key, second), to: toText(stranger) }));
  open().noteState(announce(stranger, handOver(second, stranger)));
  expect(known()).toBe(toText(key));
  const first = announce(second, handOver(key, second));
  open().noteState(first);
  const third = createDeviceKey();
  open().noteState(announce(third, handOver(key, second), handOver(second, third)));
  open().noteState(first);
  expect(known()).toBe(toText(third));
});

test('an agent that no launcher has started takes no update', async () => {
  const { open } = createMachine({ isLaunched: false });
  await expect(open().take(offerOf())).rejects.toThrow('the agent was not started by its launcher');
});

test('the reason of a return is one line of what the launcher has written', async () => {
  const { slots, open } = createMachine();
  await (await open().take(offerOf())).store(partsOf(file));
  writeFileSync(join(slots, 'returned'), `${manifest.id}\nit ended\u001b[2J ${'x'.repeat(300)}\n`);
  writeFileSync(join(slots, 'next'), '');
  const report = open().report();
  expect(report).toMatchObject({ id: manifest.id, outcome: 'returned' });
  expect(report?.reason).toHaveLength(200);
  expect(report?.reason).toMatch(/^it ended \[2J x+$/);
});
