import { createHash, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createDeviceKey, getPublicKey } from './device-key.ts';
import { ServiceError } from './link-error.ts';
import { signManifest, signRotation } from './signature.ts';
import { createLinkPair } from './testing/link-pair.ts';
import {
  compareVersions,
  MAX_AGENT_BYTES,
  openOffer,
  type UpdateManifest,
  type UpdateOffer,
} from './update-offer.ts';

const toText = (key: ReturnType<typeof createDeviceKey>) => getPublicKey(key).toString('base64url');
const [key, nextKey, strangersKey] = [createDeviceKey(), createDeviceKey(), createDeviceKey()];
const file = randomBytes(300_000);
const manifest: UpdateManifest = {
  id: '01890000-0000-7000-8000-000000000000',
  serialNumber: 'A1B2C3D4',
  version: '1.2.3',
  size: file.length,
  sha256: createHash('sha256').update(file).digest('hex'),
  mayDowngrade: false,
};

function offerOf(told: object, signer = key, rotations: UpdateOffer['rotations'] = []): UpdateOffer {
  const text = JSON.stringify({ ...manifest, ...told });
  return { manifest: text, signature: signManifest(signer, text), rotations };
}
const handOver = (from: typeof key, to: typeof key, signer = from) => ({
  from: toText(from),
  to: toText(to),
  signature: signRotation(signer, toText(to)),
});

test('an offer, its file and what has become of it pass the link', async () => {
  const taken: Buffer[] = [];
  let isStarted = false;
  const { cloud } = await createLinkPair({
    handlers: {
      takeUpdate: async (offer) => {
        expect(openOffer(offer, toText(key))).toEqual({ manifest, key: toText(key) });
        return {
          async store(bytes) {
            for await (const chunk of bytes) taken.push(Buffer.from(chunk));
          },
          start() {
            isStarted = true;
          },
        };
      },
    },
  });
  await cloud.sendUpdate(offerOf({}), file);
  expect(Buffer.concat(taken).equals(file)).toBe(true);
  await expect.poll(() => isStarted).toBe(true);
});

test('an agent says why it does not take an update, before its file and after it', async () => {
  const { cloud: old } = await createLinkPair();
  await expect(old.sendUpdate(offerOf({}), file)).rejects.toMatchObject({ code: 'service_unknown' });
  const refuse = () => Promise.reject(new ServiceError('service_refused', 'no'));
  const { cloud } = await createLinkPair({ handlers: { takeUpdate: refuse } });
  await expect(cloud.sendUpdate(offerOf({}), file)).rejects.toMatchObject({ reason: 'no' });
  const { cloud: full } = await createLinkPair({
    handlers: {
      takeUpdate: async () => ({
        async store(bytes) {
          for await (const _ of bytes) throw new Error('no room');
        },
        start: () => expect.fail('started'),
      }),
    },
  });
  const large = Buffer.alloc(4_000_000);
  await expect(full.sendUpdate(offerOf({}), large)).rejects.toMatchObject({
    code: 'service_refused',
    reason: 'no room',
  });
});

test('what is no offer ends its stream only', async () => {
  const handlers = { takeUpdate: () => expect.fail('taken') };
  const { cloud } = await createLinkPair({ handlers });
  const nonsense = { manifest: 'x'.repeat(100_000), signature: '', rotations: [] };
  await expect(cloud.sendUpdate(nonsense, file)).rejects.toBeInstanceOf(ServiceError);
  expect(await cloud.getInfo()).toMatchObject({ serialNumber: 'A1B2C3D4' });
});

test('an offer counts by the key that is known, or by one that it has handed over to', () => {
  const pinned = toText(key);
  expect(openOffer(offerOf({}), pinned)).toBeDefined();
  expect(openOffer(offerOf({}, strangersKey), pinned)).toBeUndefined();
  expect(
    openOffer({ ...offerOf({}), manifest: JSON.stringify(manifest).replace('1.2.3', '1.2.4') }, pinned),
  ).toBeUndefined();
  const rotated = offerOf({}, nextKey, [handOver(key, nextKey)]);
  expect(openOffer(rotated, pinned)).toEqual({ manifest, key: toText(nextKey) });
  expect(openOffer(rotated, toText(nextKey))).toBeDefined();
  // Once it has handed over it counts no more, and nobody else hands over for it.
  expect(openOffer(offerOf({}, key, [handOver(key, nextKey)]), pinned)).toBeUndefined();
  expect(
    openOffer(offerOf({}, strangersKey, [handOver(key, strangersKey, strangersKey)]), pinned),
  ).toBeUndefined();
});

test.each([
  ['longer than any agent', { size: MAX_AGENT_BYTES + 1 }],
  ['of a version with a path in it', { version: '../1' }],
  ['without a checksum', { sha256: '' }],
])('an offer %s is none, although it is signed', (_, told) => {
  expect(openOffer(offerOf(told), toText(key))).toBeUndefined();
});

test.each([
  ['0.9.9', '0.10.0'],
  ['1.0.0-rc.1', '1.0.0'],
  ['1.0.0-rc.2', '1.0.0-rc.10'],
  ['0.0.0-source', '0.1.0'],
  ['1.0', '1.0.1'],
])('%s is older than %s', (older, newer) => {
  expect(compareVersions(older, newer)).toBeLessThan(0);
  expect(compareVersions(newer, older)).toBeGreaterThan(0);
  expect(compareVersions(newer, `${newer}+build`)).toBe(0);
});
