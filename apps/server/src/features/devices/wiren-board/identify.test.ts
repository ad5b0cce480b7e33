import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { type DeviceCertificates, makeCertificate, makeDeviceCertificates, makeTempDir } from '@pult/testkit';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createIsTrustedProxy } from '../../../platform/http/client-address.ts';
import { createDeviceAuthority } from './device-authority.ts';
import { createIdentify } from './identify.ts';

const proxySecret = randomBytes(32).toString('base64');
const refused = expect.objectContaining({ code: 'certificate_header_refused' });
let folder: Awaited<ReturnType<typeof makeTempDir>>;
let factory: DeviceCertificates;
let leaf: string;
let lines: Record<string, unknown>[];
const log = pino({}, { write: (line) => void lines.push(JSON.parse(line)) });
beforeAll(async () => {
  folder = await makeTempDir('identify');
  factory = await makeDeviceCertificates(folder.path);
  ({ leaf } = await factory.issue('A25NDEMJ'));
});
afterAll(() => folder.remove());
beforeEach(() => {
  lines = [];
});

async function createIdentifyWith({
  ca = factory.bundlePath,
  now = new Date(),
  ...rest
}: {
  ca?: string;
  now?: Date;
  proxySecret?: undefined;
} = {}) {
  const authority = createDeviceAuthority(await readFile(ca, 'utf8'), { now: () => now });
  return createIdentify({
    authority,
    isTrustedProxy: createIsTrustedProxy(['10.0.0.1']),
    proxySecret,
    log,
    ...rest,
  });
}

/** The parts of a request that say who makes it. */
const request = (headers: Record<string, string>, remoteAddress = '10.0.0.1') =>
  ({ socket: { remoteAddress }, headers }) as unknown as IncomingMessage;

const vouched = (certificate: string, secret = proxySecret) =>
  request({ 'x-ssl-client-cert': `${secret} ${encodeURIComponent(certificate)}` });

describe('a certificate from a proxy that vouches for it', () => {
  it('the certificate names its controller, as nginx and as HAProxy write it', async () => {
    const identify = await createIdentifyWith();
    const der = leaf.replace(/-----[A-Z ]+-----|\s/g, '');
    for (const text of [encodeURIComponent(leaf), der]) {
      const named = identify(request({ 'x-ssl-client-cert': `${proxySecret} ${text}` }));
      expect(named?.serialNumber).toBe('A25NDEMJ');
    }
  });

  it('a certificate that its holder has signed proves nothing', async () => {
    const [keyPath, certPath] = [join(folder.path, 'own-key.pem'), join(folder.path, 'own.pem')];
    await makeCertificate({ subject: '/CN=wirenboard-A25NDEMJ', keyPath, certPath });
    const identify = await createIdentifyWith();
    expect(identify(vouched(await readFile(certPath, 'utf8')))).toBeUndefined();
    expect(lines).toMatchObject([{ level: 40, issuer: 'CN=wirenboard-A25NDEMJ' }]);
  });

  it('a certificate of another factory proves nothing', async () => {
    await using other = await makeTempDir('another-factory');
    const foreign = await (await makeDeviceCertificates(other.path)).issue('A25NDEMJ');
    const identify = await createIdentifyWith();
    expect(identify(vouched(foreign.leaf))).toBeUndefined();
    expect(identify(vouched(foreign.chain))).toBeUndefined();
  });

  it('a certificate proves nothing after its end', async () => {
    const identify = await createIdentifyWith({ now: new Date(Date.now() + 3 * 24 * 3600_000) });
    expect(identify(vouched(leaf))).toBeUndefined();
  });

  it('a certificate for servers alone proves nothing, and one for clients does', async () => {
    const issueFor = (purpose: string) =>
      factory.issue('PURPOSE1', undefined, ['-addext', `extendedKeyUsage=${purpose}`]);
    const identify = await createIdentifyWith();
    expect(identify(vouched((await issueFor('serverAuth')).leaf))).toBeUndefined();
    expect(identify(vouched((await issueFor('clientAuth,emailProtection')).leaf))?.serialNumber).toBe(
      'PURPOSE1',
    );
  });

  it('a certificate whose issuer WB_DEVICE_CA does not hold proves nothing, and the log names the issuer once', async () => {
    const identify = await createIdentifyWith({ ca: factory.rootPath });
    expect(identify(vouched(leaf))).toBeUndefined();
    expect(identify(vouched(leaf))).toBeUndefined();
    expect(lines).toMatchObject([{ level: 40, issuer: expect.stringContaining('Test issuer') }]);
  });

  it('a key without a certificate, or with nonsense, proves nothing', async () => {
    const identify = await createIdentifyWith();
    for (const text of ['', 'nonsense', '%', '%zz', 'x'.repeat(20_000)]) {
      const empty = request({ 'x-ssl-client-cert': `${proxySecret} ${text}`.trim() });
      expect(identify(empty)).toBeUndefined();
    }
  });
});

describe('a certificate that the proxy has not set', () => {
  const written = () => encodeURIComponent(leaf);

  it.each([
    ['without the key', () => ({ 'x-ssl-client-verify': 'SUCCESS', 'x-ssl-client-cert': written() })],
    ['with HAProxy’s verdict', () => ({ 'x-ssl-client-verify': '0', 'x-ssl-client-cert': written() })],
    ['with a verdict alone', () => ({ 'x-ssl-client-verify': 'SUCCESS' })],
    ['with another key', () => ({ 'x-ssl-client-cert': `${'a'.repeat(44)} ${written()}` })],
    ['with an empty key', () => ({ 'x-ssl-client-cert': ` ${written()}` })],
    [
      'before what the proxy adds',
      () => ({ 'x-ssl-client-cert': `${written()}, ${proxySecret} ${written()}` }),
    ],
  ])('the public certificate of a controller is refused %s', async (_, headers) => {
    const identify = await createIdentifyWith();
    expect(() => identify(request(headers()))).toThrow(refused);
    expect(() => identify(request(headers()))).toThrow(refused);
    expect(lines).toMatchObject([{ level: 40, msg: expect.stringContaining('WB_PROXY_SECRET') }]);
    expect(JSON.stringify(lines)).not.toContain(proxySecret);
  });

  it('the public certificate of a controller is refused where no key is set, whatever it comes with', async () => {
    const identify = await createIdentifyWith({ proxySecret: undefined });
    for (const key of ['undefined', '', proxySecret])
      expect(() => identify(vouched(leaf, key))).toThrow(refused);
  });

  it('headers of an address that is no trusted proxy are not read, with the key neither', async () => {
    const identify = await createIdentifyWith();
    const { headers } = vouched(leaf);
    expect(identify(request(headers as Record<string, string>, '10.0.0.2'))).toBeUndefined();
    expect(lines).toEqual([]);
  });

  it('a request without such headers proves nothing, and is no reason to warn', async () => {
    const identify = await createIdentifyWith();
    expect(identify(request({}))).toBeUndefined();
    expect(lines).toEqual([]);
  });
});
