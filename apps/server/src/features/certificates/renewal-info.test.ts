import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeTempDir, poll } from '@pult/testkit';
import { createListeningServer, type ListeningServer } from '@pult/testkit/in-process';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { identifyCertificate } from './acme/renewal-info.ts';
import { type Authority, obstacle, startAuthority } from './certificates.fixture.ts';
import { createTemporaryCertificate } from './index.ts';
import { type RenewalFront, startRenewalFront } from './renewal-front.fixture.ts';

// RFC 9773, appendix A.
const example = `-----BEGIN CERTIFICATE-----
MIIBQzCB66ADAgECAgUAh2VDITAKBggqhkjOPQQDAjAVMRMwEQYDVQQDEwpFeGFt
cGxlIENBMCIYDzAwMDEwMTAxMDAwMDAwWhgPMDAwMTAxMDEwMDAwMDBaMBYxFDAS
BgNVBAMTC2V4YW1wbGUuY29tMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEeBZu
7cbpAYNXZLbbh8rNIzuOoqOOtmxA1v7cRm//AwyMwWxyHz4zfwmBhcSrf47NUAFf
qzLQ2PPQxdTXREYEnKMjMCEwHwYDVR0jBBgwFoAUaYhba4dGQEHhs3uEe6CuLN4B
yNQwCgYIKoZIzj0EAwIDRwAwRAIge09+S5TZAlw5tgtiVvuERV6cT4mfutXIlwTb
+FYN/8oCIClDsqBklhB9KAelFiYt9+6FDj3z4KGVelYM5MdsO3pK
-----END CERTIFICATE-----
`;

test('a certificate is named to its authority as in the example of RFC 9773', async () => {
  expect(await identifyCertificate(example)).toBe('aYhba4dGQEHhs3uEe6CuLN4ByNQ.AIdlQyE');
});

const missing = obstacle ? ` (not here: ${obstacle})` : '';

async function startServer(
  authority: Authority,
  environment: Record<string, string>,
): Promise<ListeningServer> {
  const server = await createListeningServer({
    environment: { ...authority.environment, HTTP_PORT: String(authority.ports.http), ...environment },
    tls: await createTemporaryCertificate(['pult.test']),
    timing: { certificateLookMs: 200 },
  });
  onTestFinished(() => server.close());
  return server;
}
const findRow = ({ db }: ListeningServer) =>
  db.selectFrom('acme_certificates').selectAll().where('name', '=', 'server').executeTakeFirst();
const waitForChain = (server: ListeningServer, other?: string) =>
  poll(
    async () => {
      const chain = (await findRow(server))?.chain;
      return chain && chain !== other ? chain : false;
    },
    { what: 'a certificate of the authority', timeoutMs: 60_000 },
  );

describe.skipIf(obstacle)(`renewal information, over a real Pebble${missing}`, { timeout: 120_000 }, () => {
  let authority: Authority;
  let front: RenewalFront;
  let environment: Record<string, string>;
  let folder: Awaited<ReturnType<typeof makeTempDir>>;
  beforeAll(async () => {
    authority = await startAuthority();
    front = await startRenewalFront(authority.pebble);
    folder = await makeTempDir('acme-front');
    const file = join(folder.path, 'ca.pem');
    await writeFile(file, front.ca);
    environment = { ACME_DIRECTORY: front.directory, ACME_CA_FILE: file };
  });
  afterAll(async () => {
    await front?.close();
    await folder?.remove();
    await authority?.[Symbol.asyncDispose]();
  });

  test('a renewal goes to the time that the authority wants, and one that it wants at once replaces the certificate', async () => {
    const server = await startServer(authority, environment);
    const first = await waitForChain(server);
    const id = await identifyCertificate(first);
    // Whoever has just got one is not asked to come again at once.
    expect(front.asked).toEqual([]);
    expect(front.orders).toEqual([{ identifiers: [{ type: 'dns', value: 'pult.test' }] }]);
    const start = new Date(Date.now() + 3_600_000);
    front.window = { start, end: new Date(start.getTime() + 3_600_000) };
    await server.db
      .updateTable('acme_certificates')
      .set({ issued_at: new Date(0) })
      .execute();
    await poll(
      async () => {
        const planned = (await findRow(server))?.renew_at ?? new Date(0);
        return planned >= start && planned <= front.window.end;
      },
      { what: 'the renewal is planned anew', timeoutMs: 30_000 },
    );
    expect(front.asked).toEqual([id]);
    // Revoked, say: it lies in the past. The authority has said to ask again in six hours.
    front.window = { start: new Date(0), end: new Date(1) };
    server.clock.advance(6 * 3_600_000 + 60_000);
    const second = await waitForChain(server, first);
    expect(front.orders.at(-1)).toMatchObject({ replaces: id });
    expect(await identifyCertificate(second)).not.toBe(id);
    expect((await findRow(server))?.failures).toBe(0);
    expect(front.orders).toHaveLength(2);
  });

  test('an authority that does not take the order as a successor is asked for a certificate like any other', async () => {
    const server = await startServer(authority, environment);
    const first = await waitForChain(server);
    front.refusal = 'alreadyReplaced';
    const before = front.orders.length;
    await server.db
      .updateTable('acme_certificates')
      .set({ renew_at: new Date(0) })
      .execute();
    await waitForChain(server, first);
    expect(front.orders.slice(before).map(({ replaces }) => replaces !== undefined)).toEqual([true, false]);
  });
});

describe.skipIf(obstacle)(`an authority with external accounts${missing}`, { timeout: 120_000 }, () => {
  const key = Buffer.from('a key that the authority has told').toString('base64url');
  let authority: Authority;
  beforeAll(async () => {
    authority = await startAuthority({ externalAccounts: { 'kid-1': key } });
  });
  afterAll(() => authority?.[Symbol.asyncDispose]());

  test('gives certificates to the account that it knows', async () => {
    const server = await startServer(authority, { ACME_EAB_KID: 'kid-1', ACME_EAB_HMAC_KEY: key });
    await waitForChain(server);
  });

  test.each([
    ['no account', {}, /wants an account that was made with it before/],
    [
      'a wrong key',
      { ACME_EAB_KID: 'kid-1', ACME_EAB_HMAC_KEY: Buffer.from('another key').toString('base64url') },
      /does not take the account of ACME_EAB_KID/,
    ],
  ])('%s is told with what to do', async (_what, environment: Record<string, string>, text) => {
    const server = await startServer(authority, environment);
    const problem = await poll(async () => (await findRow(server))?.problem?.en, {
      what: 'a failure is told',
      timeoutMs: 60_000,
    });
    expect(problem).toMatch(text);
    expect((await findRow(server))?.advice?.en).toContain('ACME_EAB_HMAC_KEY');
    expect(JSON.stringify(await findRow(server))).not.toContain(environment.ACME_EAB_HMAC_KEY ?? 'nothing');
  });
});
