import { certificates } from '@pult/testkit/certificates';
import { createTestServer, TestClock, type TestServer } from '@pult/testkit/in-process';
import { createDeferred } from '@pult/testkit/in-test';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createEncryptor } from '../../platform/encryptor.ts';
import type { TlsPair } from '../../platform/http/tls-files.ts';
import { createLog } from '../../platform/log.ts';
import { createCertificatesRepository } from './certificates.repository.ts';
import type { DesiredCertificate } from './desired-certificates.ts';
import { CertificateProblem } from './problem.ts';
import { createRenewals } from './renewals.ts';

const minute = 60_000;
const wanted: DesiredCertificate = {
  name: 'server',
  hosts: ['localhost'],
  challenge: 'http-01',
  identity: 'localhost',
};

let server: TestServer;
let clock: TestClock;
beforeAll(async () => {
  server = await createTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  clock = new TestClock();
  await server.db.deleteFrom('acme_certificates').execute();
});

/** One node with its own way to order; `served` is what it serves, by the common name. */
function startNode(order: () => Promise<TlsPair>, given = wanted, mayOrder?: () => Promise<boolean>) {
  const served: string[] = [];
  const repository = createCertificatesRepository(server.db, createEncryptor(server.secrets.encryptionKey));
  let orders = 0;
  const renewals = createRenewals(
    { clock, log: createLog('silent') },
    {
      wanted: [given],
      repository,
      order: (_wanted, signal) => {
        orders += 1;
        return Promise.race([
          order(),
          new Promise<never>((_resolve, reject) =>
            signal.addEventListener('abort', () => reject(new Error('broken off'))),
          ),
        ]);
      },
      ...(mayOrder ? { mayOrder } : {}),
      serve: (_name, pair) => void served.push(nameOf(pair)),
    },
  );
  return { ...renewals, repository, served, countOrders: () => orders };
}

const nameOf = ({ cert }: TlsPair) =>
  Object.values(certificates).find((each) => cert === each.cert)?.name ?? 'unknown';
const { one, two } = certificates;
const refuse = (retryAt?: Date) => () =>
  Promise.reject(
    new CertificateProblem(
      { en: 'no name', ru: 'нет имени' },
      { en: 'make a record', ru: 'заведите запись' },
      { retryAt },
    ),
  );

test('one of two servers orders, and both serve what it got', async () => {
  const pair = createDeferred<TlsPair>();
  const [first, second] = [startNode(() => pair.promise), startNode(async () => two)];
  const looking = first.look();
  await expect.poll(first.countOrders).toBe(1);
  await second.look();
  expect(second.countOrders()).toBe(0);
  pair.resolve(one);
  await looking;
  await second.look();
  expect([first.served, second.served]).toEqual([[one.name], [one.name]]);
  expect(second.countOrders()).toBe(0);
});

test('a certificate for names that do not lead here is not ordered before they do', async () => {
  let isLeadingHere = false;
  const node = startNode(
    async () => one,
    wanted,
    async () => isLeadingHere,
  );
  await node.look();
  expect([node.countOrders(), await node.repository.get('server')]).toEqual([0, undefined]);
  isLeadingHere = true;
  await node.look();
  expect(node.served).toEqual([one.name]);
});

test('a lease of a server that died ends by itself', async () => {
  const dead = startNode(() => new Promise(() => {}));
  const looking = dead.look();
  await expect.poll(dead.countOrders).toBe(1);
  const other = startNode(async () => one);
  await other.look();
  expect(other.countOrders()).toBe(0);
  clock.advance(16 * minute);
  await other.look();
  expect(other.served).toEqual([one.name]);
  await dead.stop();
  await looking;
});

test('a failure is kept with its words, and the pause is kept across a restart that comes at once', async () => {
  const node = startNode(refuse());
  await node.look();
  expect(await node.repository.get('server')).toMatchObject({
    failures: 1,
    problem: { en: 'no name', ru: 'нет имени' },
  });
  const again = startNode(refuse());
  await again.look();
  expect(again.countOrders()).toBe(0);
  clock.advance(6 * minute);
  await again.look();
  expect(again.countOrders()).toBe(1);
  expect(await node.repository.get('server')).toMatchObject({ failures: 2 });
});

test('a restart long after the last failure asks at once: somebody may have mended it', async () => {
  const retryAt = new Date(clock.now().getTime() + 24 * 60 * minute);
  const node = startNode(refuse(retryAt));
  await node.look();
  clock.advance(16 * minute);
  await node.look();
  expect(node.countOrders()).toBe(1);
  const again = startNode(async () => one);
  await again.look();
  expect(again.served).toEqual([one.name]);
  expect(await again.repository.get('server')).toMatchObject({ failures: 0, problem: null });
});

test('what is served stays while its renewal fails', async () => {
  await startNode(async () => one).look();
  await server.db
    .updateTable('acme_certificates')
    .set({ renew_at: new Date(0) })
    .execute();
  const node = startNode(refuse());
  await node.load();
  await node.look();
  expect(node.countOrders()).toBe(1);
  expect(node.served).toEqual([one.name]);
  expect((await node.repository.get('server'))?.pair?.cert).toBe(one.cert);
});

test('other names make a new one due, and until it comes the old one is served', async () => {
  await startNode(async () => one).look();
  const node = startNode(async () => two, { ...wanted, identity: 'localhost and more' });
  await node.load();
  expect(node.served).toEqual([one.name]);
  await node.look();
  expect(node.served).toEqual([one.name, two.name]);
  await node.look();
  expect(node.countOrders()).toBe(1);
});

test('names that cannot be had are asked for ever more seldom, also where others were had before', async () => {
  await startNode(async () => one).look();
  const node = startNode(refuse(), { ...wanted, identity: 'localhost and more' });
  const pauses: number[] = [];
  for (let round = 0; round < 3; round++) {
    await node.look();
    const { nextTryAt } = (await node.repository.get('server')) ?? {};
    pauses.push(((nextTryAt?.getTime() ?? 0) - clock.now().getTime()) / minute);
    clock.advance(70 * minute);
  }
  // Up to a tenth more, by chance.
  expect(
    pauses.map((pause) => [5, 20, 60].findLast((least) => pause >= least && pause < least * 1.1)),
  ).toEqual([5, 20, 60]);
  expect(node.countOrders()).toBe(3);
});

test('a server that stops breaks off its order, which then counts for nothing', async () => {
  const node = startNode(() => new Promise(() => {}));
  const looking = node.look();
  await expect.poll(node.countOrders).toBe(1);
  await node.stop();
  await looking;
  expect(await node.repository.get('server')).toMatchObject({ failures: 0, problem: null });
  const next = startNode(async () => one);
  await next.look();
  expect(next.served).toEqual([one.name]);
});

test('the account of an authority is made once, however many servers ask', async () => {
  const { repository } = startNode(async () => one);
  const ask = (key: string) => repository.getAccountKey('https://ca.test/dir', async () => key, clock.now());
  const keys = await Promise.all([ask('first'), ask('second'), ask('third')]);
  expect(new Set(keys).size).toBe(1);
  const row = await server.db.selectFrom('acme_accounts').select('key').executeTakeFirstOrThrow();
  expect(row.key.includes(keys[0] ?? '')).toBe(false);
});
