/** The server's end in a process of its own: an abort of the parser takes the whole process with it. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { testCertificate, testPrivateKey } from '@pult/testkit/certificates';
import { createHostServer } from '../host-server.ts';

const big = Buffer.alloc(1_000_000, 7);

const { server } = createHostServer(
  (request, response) => {
    switch (request.url) {
      case '/':
        response.end('page');
        return;
      case '/big':
        response.end(big);
        return;
      case '/slow':
        setTimeout(() => response.end('late'), 20);
        return;
      case '/cut':
        response.write('half');
        setTimeout(() => response.destroy(), 5);
        return;
      case '/echo':
        request.pipe(response);
        return;
      case '/events':
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write('data: 1\n\n');
        return;
      default:
        request.resume();
        response.writeHead(404, { 'content-type': 'text/plain' }).end('nothing');
    }
  },
  { tls: { cert: testCertificate, key: testPrivateKey }, http2: true, hosts: [], upgrades: [] },
);
server.listen(0, '127.0.0.1');
await once(server, 'listening');

/** Of the processor's time, which the load of the machine does not touch. */
let longestTurnMs = 0;
let last = process.cpuUsage();
function watchTurns(): void {
  const { user, system } = process.cpuUsage(last);
  last = process.cpuUsage();
  longestTurnMs = Math.max(longestTurnMs, (user + system) / 1000);
  setImmediate(() => setTimeout(watchTurns, 1));
}
watchTurns();

process.on('message', () => {
  process.send?.({ residentBytes: process.memoryUsage().rss, longestTurnMs });
  longestTurnMs = 0;
});
process.on('disconnect', () => process.exit());
process.send?.({ port: (server.address() as AddressInfo).port });
