import { readFile } from 'node:fs/promises';
import { makeTempDir, makeTestCertificate } from '@pult/testkit';
import { createTestServer, type TestServer, type TestUser } from '@pult/testkit/in-process';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listEndingCertificates } from './ending-certificates.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

it.each([
  ['a year', 365, 14.1, false],
  ['a year', 365, 13.9, true],
  ['a year that has ended', 365, -1, true],
  // Renewed by ACME with 30 days, and with two of them, left.
  ['90 days', 90, 29, false],
  ['six days', 6, 1.9, false],
  ['six days', 6, 1.4, true],
])('a certificate of %s (%d days) with %d days left ends soon: %s', (_, life, left, isEnding) => {
  const now = new Date('2030-01-01T00:00:00Z');
  const validUntil = new Date(now.getTime() + left * dayMs);
  const validFrom = new Date(validUntil.getTime() - life * dayMs);
  expect(listEndingCertificates([{ name: 'server', validFrom, validUntil }], now)).toHaveLength(
    isEnding ? 1 : 0,
  );
});

let server: TestServer;
let folder: Awaited<ReturnType<typeof makeTempDir>>;

beforeAll(async () => {
  folder = await makeTempDir('ending-certificate');
  const { certPath, keyPath } = await makeTestCertificate(folder.path, ['pult.test']);
  const tls = { cert: await readFile(certPath, 'utf8'), key: await readFile(keyPath, 'utf8') };
  server = await createTestServer({ tls });
});
afterAll(async () => {
  await server.close();
  await folder.remove();
});

const ask = async (as: TestUser) => {
  const { status, body } = await server.call('listEndingCertificates', { as });
  expect(status).toBe(200);
  return (body as { results: unknown[] }).results;
};

async function createAdministrator(): Promise<TestUser> {
  const user = await server.createUser();
  const { db } = server;
  await db.updateTable('users').set({ is_administrator: true }).where('id', '=', user.id).execute();
  return user;
}

it('a certificate that ends soon is told to administrators of the installation and to owners, and to nobody else', async () => {
  expect(await ask(await createAdministrator())).toEqual([]);
  // It holds for two days in all.
  server.clock.advance(1.6 * dayMs);
  const [owner, administrator] = [await server.createUser(), await createAdministrator()];
  const organization = await server.createOrganization(owner);
  const ending = [{ name: 'server', validUntil: expect.stringMatching(/^20\d\d-.*Z$/) }];
  expect([await ask(owner), await ask(administrator)]).toEqual([ending, ending]);
  for (const role of ['viewer', 'member', 'admin'] as const) {
    const other = await server.createUser();
    await server.addMember(organization, other, role);
    expect(await ask(other)).toEqual([]);
  }
  expect(await ask(await server.createUser())).toEqual([]);
  const told = await server.call('getInstallation', { as: administrator });
  expect(told.body).toMatchObject({ certificates: { problems: ['certificate_ended'], list: ending } });
});
