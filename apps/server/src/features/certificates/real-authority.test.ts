import { X509Certificate } from 'node:crypto';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { request as sendRequest } from 'node:http';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { freePort, makeTempDir, poll, runCommand } from '@pult/testkit';
import {
  createListeningServer,
  type ListeningServer,
  type TestServerOptions,
} from '@pult/testkit/in-process';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import {
  type Authority,
  dnsEnvironment,
  obstacle,
  readShown,
  startAuthority,
  tsigKey,
} from './certificates.fixture.ts';
import { createTemporaryCertificate } from './index.ts';

const title = obstacle ? `a real authority (not here: ${obstacle})` : 'a real authority';
const isIssued = ({ issuer }: X509Certificate) => issuer.includes('Pebble Intermediate');

describe.skipIf(obstacle)(title, { timeout: 60_000 }, () => {
  let authority: Authority;
  beforeAll(async () => {
    authority = await startAuthority({
      records: ['_acme-challenge.alias CNAME other.challenges', 'nowhere A 127.0.0.9'],
    });
  });
  afterAll(async () => {
    await authority?.[Symbol.asyncDispose]();
  });

  async function startServer(
    environment: Record<string, string>,
    timing: TestServerOptions['timing'] = {},
  ): Promise<ListeningServer> {
    const server = await createListeningServer({
      environment: { ...authority.environment, ...environment },
      tls: await createTemporaryCertificate(['pult.test']),
      timing: { certificateLookMs: 200, wirenBoard: { lookMs: 200 }, ...timing },
    });
    onTestFinished(() => server.close());
    return server;
  }

  const show = (name: string, protocols?: string[]) => readShown(authority.ports.https, name, protocols);
  const waitForIssued = (name: string) =>
    poll(async () => isIssued(await show(name)), {
      what: `a certificate of the authority for ${name}`,
      timeoutMs: 30_000,
    });
  const findRow = ({ db }: ListeningServer, name = 'server') =>
    db.selectFrom('acme_certificates').selectAll().where('name', '=', name).executeTakeFirst();
  const waitForProblem = (server: ListeningServer) =>
    poll(async () => (await findRow(server))?.problem?.en, {
      what: 'a failure is told',
      timeoutMs: 30_000,
    });

  function askPlainly(path: string, host: string): Promise<{ status: number; location: string | undefined }> {
    return new Promise((resolve, reject) => {
      sendRequest({ host: '127.0.0.1', port: authority.ports.http, path, headers: { host } }, (answer) => {
        answer.resume();
        resolve({ status: answer.statusCode ?? 0, location: answer.headers.location });
      })
        .on('error', reject)
        .end();
    });
  }

  test('gives a certificate by HTTP-01 to a server that was started with a temporary one', async () => {
    const server = await startServer({ HTTP_PORT: String(authority.ports.http) });
    await waitForIssued('pult.test');
    const ca = await authority.pebble.readRoot();
    const socket = connect({ host: '127.0.0.1', port: server.port, servername: 'pult.test', ca });
    await new Promise((resolve, reject) => socket.once('secureConnect', resolve).once('error', reject));
    expect(socket.authorized).toBe(true);
    socket.destroy();
    const row = await findRow(server);
    expect(row).toMatchObject({ failures: 0, problem: null, leased_until: null });
    expect(row?.key?.toString('latin1')).not.toContain('PRIVATE KEY');
    const { validFrom, validTo } = new X509Certificate(row?.chain ?? '');
    const [from, to] = [Date.parse(validFrom), Date.parse(validTo)];
    const share = ((row?.renew_at?.getTime() ?? 0) - from) / (to - from);
    expect(share).toBeGreaterThan(0.59);
    expect(share).toBeLessThan(0.67);
    // Everything else is sent on, and nobody to a name that is not ours.
    const own = `https://pult.test:${server.port}`;
    expect(await askPlainly('/fleet?page=2', 'pult.test')).toEqual({
      status: 308,
      location: `${own}/fleet?page=2`,
    });
    expect(await askPlainly('/', 'evil.example')).toEqual({ status: 308, location: `${own}/` });
    expect(await askPlainly('//evil.example/x', 'pult.test')).toEqual({
      status: 308,
      location: `${own}//evil.example/x`,
    });
    expect((await askPlainly('/x', 'a1--80.http.pult.test')).location).toBe(
      `https://a1--80.http.pult.test:${server.port}/x`,
    );
    expect((await askPlainly('/.well-known/acme-challenge/guess', 'pult.test')).status).toBe(308);
  });

  test('gives a certificate by TLS-ALPN-01, whose own certificate nobody else is shown', async () => {
    const server = await startServer({});
    await waitForIssued('pult.test');
    // No look is open any more.
    await expect(show('pult.test', ['acme-tls/1'])).rejects.toThrow(/no application protocol/i);
    expect(isIssued(await show('pult.test', ['http/1.1']))).toBe(true);
    expect((await findRow(server))?.failures).toBe(0);
  });

  test('looks also at the names at which Wiren Board controllers are asked for a certificate, in an order of their own', async () => {
    const tunnelPort = String(await freePort());
    const server = await startServer({ WB_DEVICE_CA: 'builtin', WB_TUNNEL_PORT: tunnelPort });
    const names = 'DNS:agent.pult.test, DNS:tunnel.pult.test';
    await expect
      .poll(async () => (await show('agent.pult.test')).subjectAltName, { timeout: 30_000 })
      .toBe(names);
    expect((await show('pult.test')).subjectAltName).toBe('DNS:pult.test');
    expect((await readShown(Number(tunnelPort), 'tunnel.pult.test')).subjectAltName).toBe(names);
    const isAsked = async (name: string) => {
      const trace = ['s_client', '-connect', `127.0.0.1:${server.port}`, '-servername', name, '-msg'];
      const { stdout } = await runCommand('sh', ['-c', 'openssl "$@" </dev/null', 'ask', ...trace]);
      return stdout.includes('CertificateRequest');
    };
    expect([await isAsked('agent.pult.test'), await isAsked('pult.test')]).toEqual([true, false]);
  });

  test('gives the server its own certificate where the order for the names of Wiren Board fails', async () => {
    const tunnelPort = String(await freePort());
    const server = await startServer({
      ...{ WB_DEVICE_CA: 'builtin', WB_TUNNEL_PORT: tunnelPort },
      WB_TUNNEL_ADDRESS: `tunnel.missing.test:${tunnelPort}`,
    });
    await waitForIssued('pult.test');
    await expect
      .poll(async () => (await findRow(server, 'wiren-board'))?.problem?.en, { timeout: 30_000 })
      .toContain('tunnel.missing.test');
    expect(await findRow(server)).toMatchObject({ failures: 0 });
  });

  test('gives a certificate for the names of Wiren Board by nobody’s wish once they lead to the server', async () => {
    const dns: Record<string, string[]> = { 'pult.test': ['192.0.2.1'], 'agent.pult.test': ['192.0.2.1'] };
    const look = async (name: string) => dns[name] ?? [];
    const nameLookups = { lookUp: look, resolve: look, listOwnAddresses: () => [] };
    const server = await startServer({ WB_TUNNEL_PORT: String(await freePort()) }, { nameLookups });
    await waitForIssued('pult.test');
    expect(await findRow(server, 'wiren-board')).toBeUndefined();
    dns['tunnel.pult.test'] = ['192.0.2.1'];
    await expect
      .poll(async () => (await findRow(server, 'wiren-board'))?.issued_at ?? null, { timeout: 30_000 })
      .not.toBeNull();
    await expect
      .poll(async () => (await server.call('getEnvironments')).body)
      .toMatchObject({ WIREN_BOARD: { tunnel: { host: 'tunnel.pult.test' } }, WIREN_BOARD_OFF: null });
  });

  test('gives certificates by DNS-01 and signed updates, also the wildcard of the tunnel hosts', async () => {
    await startServer(dnsEnvironment(authority));
    await waitForIssued('pult.test');
    expect((await show('pult.test')).subjectAltName).toBe('DNS:pult.test');
    await expect
      .poll(async () => (await show('abc--80.http.pult.test')).subjectAltName, { timeout: 30_000 })
      .toBe('DNS:*.http.pult.test');
    for (const name of ['_acme-challenge.pult.test', '_acme-challenge.http.pult.test']) {
      expect(await authority.dns.listTexts(name)).toEqual([]);
    }
  });

  test('follows a CNAME of the record', async () => {
    const url = `https://alias.pult.test:${authority.ports.https}`;
    await startServer({ ...dnsEnvironment(authority), PUBLIC_URL: url, TUNNEL_MODE: 'ports' });
    await waitForIssued('alias.pult.test');
  });

  test('a wrong key of updates is told by its name, and nothing is asked again for minutes', async () => {
    const wrong = Buffer.from('another key, which nobody knows').toString('base64');
    const server = await startServer({ ...dnsEnvironment(authority), ACME_DNS_TSIG_SECRET: wrong });
    expect(await waitForProblem(server)).toContain('finds the signature wrong (BADSIG)');
    const row = await findRow(server);
    expect(row?.advice?.en).toContain('ACME_DNS_TSIG_SECRET');
    expect(row).toMatchObject({ failures: 1, leased_until: null });
    const pause = (row?.next_try_at?.getTime() ?? 0) - (row?.failed_at?.getTime() ?? 0);
    expect(pause).toBeGreaterThanOrEqual(5 * 60_000);
    await server.db.updateTable('acme_certificates').set({ next_try_at: null }).execute();
    await expect.poll(async () => (await findRow(server))?.failures, { timeout: 30_000 }).toBe(2);
  });

  test('a name that nobody finds, and a port where nobody answers, are told in words', async () => {
    const missing = await startServer({
      HTTP_PORT: String(authority.ports.http),
      PUBLIC_URL: `https://pult.missing.test:${authority.ports.https}`,
      TUNNEL_MODE: 'ports',
    });
    expect(await waitForProblem(missing)).toContain('finds no address of pult.missing.test');
    await missing.close();
    const unreachable = await startServer({
      HTTP_PORT: String(authority.ports.http),
      PUBLIC_URL: `https://nowhere.pult.test:${authority.ports.https}`,
      TUNNEL_MODE: 'ports',
    });
    expect(await waitForProblem(unreachable)).toContain('could not connect to nowhere.pult.test');
    expect((await findRow(unreachable))?.advice).toEqual({
      en: expect.stringContaining('Open port 80 in the firewall'),
      ru: expect.stringContaining('Откройте порт 80'),
    });
  });

  test('a hook makes and removes the records, as a program without a shell', async () => {
    const folder = await makeTempDir('acme-hook');
    onTestFinished(() => folder.remove());
    const program = join(folder.path, 'dns hook');
    const zone = (name: string) =>
      `printf 'server 127.0.0.1 ${authority.dns.port}\\nzone pult.test\\n%s\\nsend\\n' "${name}"`;
    await writeFile(
      program,
      [
        '#!/bin/sh',
        `echo "$# $1 $2" >>"${folder.path}/calls"`,
        'case "$1" in add) line="update add $2 60 TXT $3" ;; *) line="update delete $2 TXT $3" ;; esac',
        `${zone('$line')} | knsupdate -v -y ${tsigKey.algorithm}:${tsigKey.name}:${tsigKey.secret}`,
      ].join('\n'),
    );
    await chmod(program, 0o755);
    await startServer({ ACME_DNS_HOOK: program, TUNNEL_MODE: 'ports' });
    await waitForIssued('pult.test');
    await expect
      .poll(() => readFile(join(folder.path, 'calls'), 'utf8'))
      .toBe('3 add _acme-challenge.pult.test\n3 remove _acme-challenge.pult.test\n');
  });

  test('a certificate that is due is renewed while the old one is served, and metrics tell of it', async () => {
    const server = await startServer({});
    await waitForIssued('pult.test');
    const first = await show('pult.test');
    await server.db
      .updateTable('acme_certificates')
      .set({ renew_at: new Date(0) })
      .execute();
    const seen = new Set<string>();
    await poll(
      async () => {
        const shown = await show('pult.test');
        expect(isIssued(shown)).toBe(true);
        seen.add(shown.serialNumber);
        return seen.size > 1;
      },
      { what: 'another certificate is served', timeoutMs: 30_000 },
    );
    expect(seen).toContain(first.serialNumber);
    const figures = server.server.features.flatMap(({ metrics = [] }) => metrics);
    const readFigure = async (name: string) => {
      const metric = figures.find((each) => each.name === name);
      return metric?.type === 'gauge' ? metric.read() : undefined;
    };
    const labels = { certificate: 'server' };
    expect(await readFigure('pult_acme_failures')).toEqual([{ labels, value: 0 }]);
    const now = server.clock.now().getTime() / 1000;
    expect(await readFigure('pult_acme_last_success_timestamp_seconds')).toEqual([{ labels, value: now }]);
    expect(await readFigure('pult_acme_last_failure_timestamp_seconds')).toEqual([]);
  });
});
