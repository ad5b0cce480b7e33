import { once } from 'node:events';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { freePort, freePortRange, makeTempDir, makeTestCertificate } from '@pult/testkit';
import { createTestController, createTestServer, type TestServer } from '@pult/testkit/in-process';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Config, loadConfig } from './config/config.ts';
import { readEnvironment } from './config/env.ts';
import type { Logger } from './platform/log.ts';
import { checkTunnelCertificate, checkTunnelOrders } from './tunnel-certificate.ts';

/** Certificates of the console and of the tunnels to web interfaces, where they are two. */

let folder: Awaited<ReturnType<typeof makeTempDir>>;
let server: TestServer | undefined;

beforeAll(async () => {
  folder = await makeTempDir('tunnel-tls');
});
afterAll(() => folder.remove());
afterEach(async () => {
  await server?.close();
  server = undefined;
});

let made = 0;
async function makePair(...names: string[]): Promise<{ cert: string; key: string }> {
  made += 1;
  const own = join(folder.path, String(made));
  await mkdir(own);
  const { certPath, keyPath } = await makeTestCertificate(own, names);
  return { cert: await readFile(certPath, 'utf8'), key: await readFile(keyPath, 'utf8') };
}

/** The names of the certificate that a client is shown who asks for that one. */
async function presented(port: number, servername?: string): Promise<string | undefined> {
  const options = { port, host: '127.0.0.1', rejectUnauthorized: false };
  const socket = connect(servername === undefined ? options : { ...options, servername });
  await once(socket, 'secureConnect');
  const { subjectaltname } = socket.getPeerCertificate();
  socket.destroy();
  return subjectaltname;
}

describe('a certificate for the tunnel hosts', () => {
  it('a certificate for the tunnel hosts is shown to whoever asks for one of them, and renewed alone', async () => {
    const port = await freePort();
    const environment = { PORT: String(port), PUBLIC_URL: `https://cloud.test:${port}` };
    const tls = await makePair('cloud.test');
    server = await createTestServer({ environment, tls, tunnelTls: await makePair('*.http.cloud.test') });
    await server.server.listen();
    expect(await presented(port, 'cloud.test')).toBe('DNS:cloud.test');
    expect(await presented(port)).toBe('DNS:cloud.test');
    expect(await presented(port, 'a1--8080.http.cloud.test')).toBe('DNS:*.http.cloud.test');
    expect(await presented(port, 'A1.HTTP.CLOUD.TEST')).toBe('DNS:*.http.cloud.test');

    server.server.renewTls({ tunnelTls: await makePair('*.http.cloud.test', 'renewed.test') });
    expect(await presented(port, 'a1.http.cloud.test')).toBe('DNS:*.http.cloud.test, DNS:renewed.test');
    expect(await presented(port, 'cloud.test')).toBe('DNS:cloud.test');
    const mixed = { cert: tls.cert, key: (await makePair('x.test')).key };
    expect(() => server?.server.renewTls({ tunnelTls: mixed })).toThrow();
    expect(await presented(port, 'a1.http.cloud.test')).toContain('renewed.test');
  });

  it('a certificate for the tunnel hosts is shown on the ports of web interfaces too', async () => {
    const port = await freePort();
    const { from, to } = await freePortRange(1);
    const environment = {
      PORT: String(port),
      PUBLIC_URL: `https://127.0.0.1:${port}`,
      TUNNEL_PORTS: `${from}-${to}`,
    };
    server = await createTestServer({
      environment,
      tls: await makePair('cloud.test'),
      tunnelTls: await makePair('127.0.0.1'),
    });
    await server.server.listen();
    const owner = await server.createUser();
    const organizationId = await server.createOrganization(owner);
    const { serialNumber, enrolmentId } = await createTestController(server, { organizationId });
    let end = () => {};
    const closed = new Promise<'shutdown'>((resolve) => {
      end = () => resolve('shutdown');
    });
    // Only that there is one is looked at.
    const link = { closed, close: end, goAway: end } as unknown as Parameters<
      typeof server.server.links.add
    >[1];
    server.server.links.add(enrolmentId, link);
    const answer = await server.call('openTunnel', { as: owner, params: { serialNumber, protocol: 'http' } });
    const { tunnelRedirectUrl } = answer.body as { tunnelRedirectUrl: string };
    const opened = new URL(tunnelRedirectUrl);
    expect(opened.protocol).toBe('https:');
    expect(await presented(Number(opened.port))).toBe('IP Address:127.0.0.1');
    server.server.renewTls({ tunnelTls: await makePair('127.0.0.1', 'renewed.test') });
    expect(await presented(Number(opened.port))).toContain('renewed.test');
    expect(await presented(port)).toBe('DNS:cloud.test');
  });
});

describe('the check at the start', () => {
  function warningsFor(environment: Record<string, string>, cert: string): string[] {
    const config: Config = loadConfig(readEnvironment({ env: environment, directory: null }), {
      version: '0',
    });
    const warnings: string[] = [];
    // Nothing else of a log is used.
    const log = { warn: (_: object, message: string) => warnings.push(message) } as unknown as Logger;
    checkTunnelCertificate(config, cert, log);
    return warnings;
  }
  const named = { PUBLIC_URL: 'https://cloud.test' };
  const address = { PUBLIC_URL: 'https://10.0.0.1' };

  it.each([
    [named, ['cloud.test', '*.http.cloud.test'], undefined],
    [named, ['cloud.test', '*.cloud.test'], '*.http.cloud.test'],
    [{ ...named, TUNNEL_DOMAIN: 'devices.test' }, ['*.http.cloud.test'], '*.http.devices.test'],
    [{ ...named, TUNNEL_DOMAIN: 'devices.test:8443' }, ['*.http.devices.test'], undefined],
    [address, ['10.0.0.1'], undefined],
    [address, ['cloud.test'], '10.0.0.1'],
  ])(
    'the check at the start of %j with a certificate for %j misses %j',
    async (environment, names, missing) => {
      const { cert } = await makePair(...names);
      const warnings = warningsFor(environment, cert);
      if (missing === undefined) expect(warnings).toEqual([]);
      else expect(warnings).toEqual([expect.stringContaining(`does not cover ${missing}:`)]);
    },
  );

  it.each([
    [{}, 1],
    [{ ACME_DNS_HOOK: '/etc/pult/hook' }, 0],
    [{ TUNNEL_MODE: 'ports' }, 0],
    [{ TUNNEL_TLS_CERT: '/a.pem', TUNNEL_TLS_KEY: '/b.pem' }, 0],
  ])(
    'a server that gets its certificates itself with %j warns of a missing wildcard %i times',
    (more, count) => {
      const environment = { ...named, ACME_EMAIL: 'operator@cloud.test', ...more };
      const config = loadConfig(readEnvironment({ env: environment, directory: null }), { version: '0' });
      const warnings: string[] = [];
      // Nothing else of a log is used.
      const log = { warn: (_: object, message: string) => warnings.push(message) } as unknown as Logger;
      checkTunnelOrders(config, log);
      expect(warnings).toEqual(Array(count).fill(expect.stringContaining('ACME_DNS_SERVER')));
    },
  );
});
