import { once } from 'node:events';
import { connect, createServer, type TlsOptions } from 'node:tls';
import { oldCertificate, testCertificate, testPrivateKey } from '@pult/testkit/certificates';
import { listen } from '@pult/testkit/in-test';
import { expect, test } from 'vitest';
import { describeOldTls, deviceTls, readTlsFailure } from './device-tls.ts';

const today = { cert: testCertificate, key: testPrivateKey };
const anyCipher = { ciphers: 'DEFAULT:@SECLEVEL=0', minVersion: 'TLSv1' } as const;

async function connectTo(options: TlsOptions) {
  const server = createServer(options, (socket) => socket.on('error', () => {}));
  server.on('tlsClientError', () => {});
  const socket = connect({ host: '127.0.0.1', port: await listen(server), ...deviceTls });
  try {
    await once(socket, 'secureConnect');
    return { version: socket.getProtocol(), old: describeOldTls(socket) };
  } finally {
    socket.destroy();
  }
}

test.each<[string, TlsOptions, string, string | undefined]>([
  ['of today', today, 'TLSv1.3', undefined],
  ['that ends at 1.2', { ...today, maxVersion: 'TLSv1.2' }, 'TLSv1.2', undefined],
  ['that ends at 1.1', { ...today, ...anyCipher, maxVersion: 'TLSv1.1' }, 'TLSv1.1', 'TLS 1.1'],
  [
    'that ends at 1.0, with a short key',
    { ...oldCertificate, ...anyCipher, maxVersion: 'TLSv1' },
    'TLSv1',
    'TLS 1.0, RSA 1024',
  ],
  ['with a short key', { ...oldCertificate, ...anyCipher }, 'TLSv1.3', 'RSA 1024'],
])('TLS of a device %s is spoken, and what is old of it named', async (_, options, version, old) => {
  expect(await connectTo(options)).toEqual({ version, old });
});

test.each([
  [
    '80BB1F0A:error:0A000102:SSL routines:ssl_choose_client_version:unsupported protocol:../ssl/statem/statem_lib.c:1957:\n',
    'unsupported protocol',
    true,
  ],
  [
    'write EPROTO C0DE:error:0A000410:SSL routines:ssl3_read_bytes:sslv3 alert handshake failure:../ssl/record/rec_layer_s3.c:1605:SSL alert number 40\n',
    'sslv3 alert handshake failure',
    true,
  ],
  [
    'C0DE:error:0A000410:SSL routines:ssl3_read_bytes:ssl/tls alert handshake failure:ssl/record/rec_layer_s3.c:911:SSL alert number 40\n',
    'ssl/tls alert handshake failure',
    true,
  ],
  [
    'C0DE:error:0A00018A:SSL routines:tls_process_ske_dhe:dh key too small:../ssl/statem/statem_clnt.c:2114:\n',
    'dh key too small',
    true,
  ],
  [
    'write EPROTO C0DE:error:0A00010B:SSL routines:ssl3_get_record:wrong version number:../ssl/record/ssl3_record.c:354:\n',
    'wrong version number',
    false,
  ],
  ['error:0A000102:SSL routines::unsupported protocol', 'unsupported protocol', true],
  ['connect ECONNREFUSED 127.0.0.1:443', 'connect ECONNREFUSED 127.0.0.1:443', false],
])('the failure %j is read as %j', (message, reason, isTooOld) => {
  expect(readTlsFailure(new Error(message))).toEqual({ reason, isTooOld });
});
