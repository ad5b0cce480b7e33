import { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';
import { certificates } from '@pult/testkit/certificates';
import { expect, it } from 'vitest';
import type { Links } from '../../devices/index.ts';
import { connectInterface } from './connect-interface.ts';

/** A record that no key of the connection has sealed. */
const garbage = Buffer.from([0x17, 3, 3, 0, 5, 1, 2, 3, 4, 5]);

/** A stream to a TLS server; `pass` may change what the server sends. */
function connectToServer(pass: (bytes: Buffer) => Buffer): Duplex {
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
  const server = new TLSSocket(far, { isServer: true, ...certificates.one, maxVersion: 'TLSv1.2' });
  server.on('error', () => {});
  return near;
}

it.each([
  ['an answer', 'http', true, true],
  ['an upgraded connection', 'http', undefined, false],
  ['what is encrypted from end to end', 'https', true, false],
] as const)('%s over %s may be compressed: asked %s, is %s', async (_what, scheme, mayPack, expected) => {
  let asked: unknown;
  const open: Links['open'] = (_device, _endpoint, options) => {
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
  const links = { open: () => stream };
  const access = {
    enrolmentId: '1',
    serialNumber: 'A1',
    port: 8443,
    scheme: 'https' as const,
    hostHeader: null,
  };
  const connection = await connectInterface(links, access);
  await expect.poll(() => connection.destroyed).toBe(true);
});
