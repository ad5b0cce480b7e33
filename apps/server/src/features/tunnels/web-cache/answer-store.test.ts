import CachePolicy from 'http-cache-semantics';
import { expect, it } from 'vitest';
import { type ClaimName, createAnswerStore, storeLimits } from './answer-store.ts';
import { BodyCopy } from './body-copy.ts';
import type { KeptHead } from './cache-rules.ts';

const inAll = 1_600_000;
const claimOf = (controllerId: string): ClaimName => ({
  organizationId: 'organization',
  controllerId,
  enrolmentId: `device of ${controllerId}`,
});
const head = (headers: string[] = []): KeptHead => ({
  headers,
  etag: '"1"',
  policy: new CachePolicy({ headers: {} }, { headers: {} }),
  isPublic: true,
  person: '',
  hasAuthorization: false,
  isAsset: true,
  varies: [],
  variant: '',
});

function fill(
  store: ReturnType<typeof createAnswerStore>,
  controllerId: string,
  count: number,
  bytes: number,
) {
  const claim = store.claim(claimOf(controllerId));
  for (let index = 0; index < count; index++) {
    store.set({ claim, name: `/${index}` }, 'gzip', { head: head(), body: Buffer.alloc(bytes) });
  }
  return claim;
}

it('a store of answers is bounded in all and by claim, and lets go of what was used longest ago', () => {
  const store = createAnswerStore(storeLimits(inAll));
  const claim = fill(store, 'one', 3, 100_000);
  expect(store.get({ claim, name: '/0' }, 'gzip')).toBeDefined();
  fill(store, 'one', 1, 100_000);
  store.set({ claim, name: '/more' }, 'gzip', { head: head(), body: Buffer.alloc(100_000) });
  expect(store.get({ claim, name: '/1' }, 'gzip')).toBeUndefined();
  expect(store.get({ claim, name: '/0' }, 'gzip')).toBeDefined();
  expect(claim.bytes).toBeLessThanOrEqual(inAll / 4);

  for (let other = 0; other < 10; other++) fill(store, `other ${other}`, 10, 100_000);
  expect(store.bytes).toBeLessThanOrEqual(inAll);
  expect(claim.bytes).toBe(0);
  expect(store.get({ claim, name: '/0' }, 'gzip')).toBeUndefined();
});

it('a store of answers counts headers and addresses as it counts bodies', () => {
  const store = createAnswerStore(storeLimits(inAll));
  const claim = store.claim(claimOf('one'));
  for (let index = 0; index < 1000; index++) {
    const kept = { head: head(['x', 'y'.repeat(8_000)]), body: Buffer.alloc(0) };
    store.set({ claim, name: `/${'z'.repeat(8_000)}${index}` }, '', kept);
  }
  expect(claim.sizes.size).toBeLessThan(15);
  expect(store.bytes).toBeLessThanOrEqual(inAll);
});

it('a store of answers keeps nothing more of a claim that has ended, nor what was on its way', () => {
  const store = createAnswerStore(storeLimits(inAll));
  const claim = fill(store, 'one', 2, 1_000);
  const copy = new BodyCopy(store, claim);
  copy.add(Buffer.alloc(10));
  const entry = store.get({ claim, name: '/0' }, 'gzip');
  store.end(({ controllerId }) => controllerId === 'one');
  expect(entry?.isKept).toBe(false);
  store.set({ claim, name: '/0' }, 'gzip', { head: head(), body: copy.take() ?? Buffer.alloc(0) });
  expect(store.bytes).toBe(0);
  expect(store.get({ claim: store.claim(claimOf('one')), name: '/0' }, 'gzip')).toBeUndefined();
});

it('a store of answers forgets an address with all its codings', () => {
  const store = createAnswerStore(storeLimits(inAll));
  const claim = store.claim(claimOf('one'));
  const resource = { claim, name: '/0' };
  for (const codings of ['', 'gzip', 'br,deflate,gzip,zstd']) {
    store.set(resource, codings, { head: head(), body: Buffer.alloc(1) });
  }
  store.delete(resource);
  expect([claim.sizes.size, store.bytes]).toEqual([0, 0]);
});

it('a copy of a body that comes byte by byte takes little more than the body, and is bounded', () => {
  const store = createAnswerStore(storeLimits(inAll));
  const claim = store.claim(claimOf('one'));
  const copy = new BodyCopy(store, claim);
  for (let byte = 0; byte < 50_000; byte++) copy.add(Buffer.from([byte % 256]));
  expect(store.bytes).toBeLessThanOrEqual(100_000);
  const body = copy.take();
  expect([body?.length, body?.[49_999], body?.buffer.byteLength]).toEqual([50_000, 49_999 % 256, 50_000]);
  expect(store.bytes).toBe(0);

  const large = new BodyCopy(store, claim);
  large.add(Buffer.alloc(100_001));
  expect([large.take(), store.bytes]).toEqual([undefined, 0]);

  // Many at once: of one claim half of its share, of all a quarter.
  const copies = Array.from(
    { length: 100 },
    (_, index) => new BodyCopy(store, store.claim(claimOf(`${index % 9}`))),
  );
  for (const each of copies) each.add(Buffer.alloc(60_000));
  expect(store.bytes).toBeLessThanOrEqual(inAll / 4);
  for (const each of copies) each.giveUp();
  expect(store.bytes).toBe(0);
});
