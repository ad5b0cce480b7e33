// The peer "bare relay of Node.js": joins each connection with one to the port it was given, and does nothing else. With `near` what it
// asks is TLS, with `far` what asks it is.
//   tls-relay.ts near|far <target port> <folder with cert.pem and key.pem>
import { readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { connect as connectTls, createServer as createTlsServer } from 'node:tls';

const [side = '', target = '', folder = ''] = process.argv.slice(2);
const port = Number(target);
const read = (name: string) => readFileSync(join(folder, name));

function pipe(inbound: Socket, outbound: Socket): void {
  inbound.pipe(outbound).pipe(inbound);
  inbound.on('error', () => outbound.destroy());
  outbound.on('error', () => inbound.destroy());
}

const server =
  side === 'near'
    ? createServer({ noDelay: true }, (inbound) =>
        pipe(inbound, connectTls({ port, host: '127.0.0.1', ca: read('ca.pem'), servername: 'localhost' })),
      )
    : createTlsServer({ cert: read('cert.pem'), key: read('key.pem'), noDelay: true }, (inbound) =>
        pipe(inbound, connect({ port, host: '127.0.0.1', noDelay: true })),
      );
server.listen(0, '127.0.0.1', () => {
  // A listening TCP server has an address object.
  process.stdout.write(`listening on ${(server.address() as AddressInfo).port}\n`);
});
