import { Duplex } from 'node:stream';
import { TLSSocket, type TLSSocketOptions } from 'node:tls';
import { certificates, oldCertificate } from '@pult/testkit/certificates';
import { expect, it } from 'vitest';
import type { LocalLinks } from '../../devices/index.ts';
import { connectInterface } from './connect.ts';

/** A record that no key of the connection has sealed. */
const garbage = Buffer.from([0x17, 3, 3, 0, 5, 1, 2, 3, 4, 5]);

/** A stream to a TLS server; `pass` may change what the server sends. */
function connectToServer(pass: (bytes: Buffer) => Buffer, options: TLSSocketOptions = {}): Duplex {
  const near: Duplex = new Duplex({
    read() {},
    write(bytes, _, done) {
      far.push(bytes);
      done();
    },
  });
  const far: Duplex = new Duplex({
    read() {},
    write(bytes, _, done) {
      near.push(pass(bytes));
      done();
    },
  });
  const settings = { ...certificates.one, maxVersion: 'TLSv1.2', ...options } as const;
  const server = new TLSSocket(far, { isServer: true, ...settings });
  server.on('error', () => {});
  return near;
}

it.each([
  ['an answer', 'http', true, true],
  ['an upgraded connection', 'http', undefined, false],
  ['what is encrypted from end to end', 'https', true, false],
] as const)('%s over %s may be compressed: asked %s, is %s', async (_what, scheme, mayPack, expected) => {
  let asked: unknown;
  const open: LocalLinks['open'] = (_device, _endpoint, options) => {
    asked = options;
    throw new Error('enough');
  };
  const access = { enrolmentId: '1', serialNumber: 'A1', port: 80, scheme, hostHeader: null };
  await expect(connectInterface({ open }, access, mayPack ? { mayPack } : {})).rejects.toThrow('enough');
  expect(asked).toMatchObject({ mayPack: expected });
});

it('outlives a device that breaks its connection at the very end of the handshake', async () => {
  // The last message of the handshake begins with a change of cipher; an error nobody hears would end the process.
  const stream = connectToServer((bytes) =>
    bytes.includes('\x14\x03\x03') ? Buffer.concat([bytes, garbage]) : bytes,
  );
  const router = { open: () => stream };
  const access = {
    enrolmentId: '1',
    serialNumber: 'A1',
    port: 8443,
    scheme: 'https' as const,
    hostHeader: null,
  };
  const connection = await connectInterface(router, access);
  await expect.poll(() => connection.destroyed).toBe(true);
});

const https = {
  enrolmentId: '1',
  serialNumber: 'A1',
  port: 8443,
  scheme: 'https' as const,
  hostHeader: null,
};

it.each<[string, TLSSocketOptions, string | undefined]>([
  ['of today', {}, undefined],
  [
    'of 1.0 with a short key',
    { ...oldCertificate, ciphers: 'DEFAULT:@SECLEVEL=0', minVersion: 'TLSv1', maxVersion: 'TLSv1' },
    'TLS 1.0, RSA 1024',
  ],
])('opens a device whose TLS is %s, and says what of it is old', async (_, options, expected) => {
  const notes: unknown[] = [];
  const router = { open: () => connectToServer((bytes) => bytes, options) };
  const connection = await connectInterface(router, https, { noteTls: (old) => notes.push(old) });
  expect(notes).toEqual([expected]);
  connection.destroy();
});

it.each([
  // The alert handshake_failure of SSL 3.0 (RFC 6101, section 5.4).
  ['an alert', Buffer.from([0x15, 3, 0, 0, 2, 2, 40]), 'service_tls_old'],
  // A ServerHello of SSL 3.0 with RC4 and MD5 (RFC 6101, section 5.6.1.3).
  [
    'its own version',
    Buffer.concat([
      Buffer.from([0x16, 3, 0, 0, 42, 2, 0, 0, 38, 3, 0]),
      Buffer.alloc(33),
      Buffer.from([0, 4, 0]),
    ]),
    'service_tls_old',
  ],
  ['plain HTTP', Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n'), 'service_tls_failed'],
])('a device that answers a handshake by %s is told by a reason of its own', async (_, answer, code) => {
  const stream: Duplex = new Duplex({
    read() {},
    write(_bytes, _encoding, done) {
      stream.push(answer);
      done();
    },
  });
  await expect(connectInterface({ open: () => stream }, https)).rejects.toMatchObject({ code });
});
