/**
 * A server's end of links in a process of its own, started by a test: what aborts a process cannot be seen from inside it.
 * Tells its port first, then how each link ended; answers each message with the memory it takes.
 */

import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { testCertificate, testPrivateKey } from '@pult/testkit/certificates';
import { acceptLink } from '../accept.ts';
import { openCloudLink } from '../cloud-link.ts';

const server = process.argv.includes('--tls')
  ? createTlsServer({ cert: testCertificate, key: testPrivateKey })
  : createServer();
server.on('upgrade', (request, socket, head) => {
  void acceptLink(request, socket, head).then(async (stream) => {
    // One that looks open to its own end is left to the pings.
    const link = openCloudLink(stream, { pingIntervalMs: 200 });
    void link.closed.then((reason) => process.send?.({ closed: reason }));
    link
      .open('http', { mayPack: true })
      .on('error', () => {})
      .resume();
    await link
      .putState({ activated: true, activationLink: null, metricsIntervalSeconds: 60 })
      .catch(() => {});
  });
});
process.on('message', () => process.send?.({ residentBytes: process.memoryUsage.rss() }));
// The test is gone.
process.on('disconnect', () => process.exit());
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.({ port: typeof address === 'object' && address?.port });
});
