// The peer "bare pipe": a process that joins each connection with one to the port it was given, and nothing else. With `near` what it
// asks is TLS, with `far` what asks it is.
//   relay.ts <target port> [near|far <folder with cert.pem, key.pem and ca.pem>]
import { readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { connect as connectTls, createServer as createTlsServer } from 'node:tls';

const [port = 0, side = '', folder = ''] = process.argv.slice(2);
const target = { port: Number(port), host: '127.0.0.1' };
const read = (name: string) => readFileSync(join(folder, name));

function relay(inbound: Socket): void {
  const outbound =
    side === 'near'
      ? connectTls({ ...target, ca: read('ca.pem'), servername: 'localhost' })
      : connect({ ...target, noDelay: true });
  inbound.pipe(outbound).pipe(inbound);
  inbound.on('error', () => outbound.destroy());
  outbound.on('error', () => inbound.destroy());
}

const server =
  side === 'far'
    ? createTlsServer({ cert: read('cert.pem'), key: read('key.pem'), noDelay: true }, relay)
        // One that goes away in the middle of its handshake is no news.
        .on('tlsClientError', () => {})
    : createServer({ noDelay: true }, relay);
server.listen(0, side === 'far' ? '0.0.0.0' : '127.0.0.1', () => {
  // A listening TCP server has an address object.
  process.stdout.write(`listening on ${(server.address() as AddressInfo).port}\n`);
});
