// The peer "bare pipe": a process that joins each connection with one to the port it was given, and nothing else.
import { type AddressInfo, connect, createServer } from 'node:net';

const target = Number(process.argv[2]);

const server = createServer({ noDelay: true }, (inbound) => {
  const outbound = connect({ port: target, host: '127.0.0.1', noDelay: true });
  inbound.pipe(outbound).pipe(inbound);
  inbound.on('error', () => outbound.destroy());
  outbound.on('error', () => inbound.destroy());
});
server.listen(0, '127.0.0.1', () => {
  // A listening TCP server has an address object.
  process.stdout.write(`listening on ${(server.address() as AddressInfo).port}\n`);
});
