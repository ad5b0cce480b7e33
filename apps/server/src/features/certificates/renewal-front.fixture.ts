import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, request as sendRequest } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Pebble } from '@pult/testkit';
import { testCertificate, testPrivateKey } from '@pult/testkit/certificates';

/** Pebble, with the renewal information that Debian's has not got: everything else is passed on to it. */
export interface RenewalFront {
  readonly directory: string;
  /** PEM, of both. */
  readonly ca: string;
  /** What is told, by whatever certificate. */
  window: { start: Date; end: Date };
  /** Of which certificates it was asked. */
  readonly asked: string[];
  /** What was ordered, without what Pebble turns away to be sent again: one in twenty, for its nonce. */
  readonly orders: { replaces?: string }[];
  /** What it says to an order that replaces one; takes it unless told. */
  refusal: string | undefined;
  close(): Promise<void>;
}

export async function startRenewalFront(pebble: Pebble): Promise<RenewalFront> {
  const ca = await readFile(pebble.caFile, 'utf8');
  const { port: pebblePort } = new URL(pebble.directory);
  const server = createServer({ cert: testCertificate, key: testPrivateKey });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const host = `localhost:${(server.address() as AddressInfo).port}`; // it listens on a port
  const front: RenewalFront = {
    directory: `https://${host}/dir`,
    ca: `${ca}\n${testCertificate}`,
    window: { start: new Date(0), end: new Date(1) },
    asked: [],
    orders: [],
    refusal: undefined,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  server.on('request', async (request, response) => {
    const { url = '', method, headers } = request;
    const body = await text(request);
    if (url.startsWith('/renewal-info/')) {
      front.asked.push(url.slice('/renewal-info/'.length));
      response.writeHead(200, { 'content-type': 'application/json', 'retry-after': '21600' });
      response.end(JSON.stringify({ suggestedWindow: front.window }));
      return;
    }
    const order =
      url === '/order-plz' && JSON.parse(Buffer.from(JSON.parse(body).payload, 'base64url').toString());
    if (order) {
      if (order.replaces && front.refusal) {
        front.orders.push(order);
        const type = `urn:ietf:params:acme:error:${front.refusal}`;
        response.writeHead(409, { 'content-type': 'application/problem+json', 'replay-nonce': 'bm9uY2U' });
        response.end(JSON.stringify({ type, detail: 'refused by the test' }));
        return;
      }
    }
    // By the name under which we are asked: so what Pebble links to leads here as well.
    const sent = sendRequest(
      { host: 'localhost', port: pebblePort, path: url, method, headers: { ...headers, host }, ca },
      async (answer) => {
        const told = await text(answer);
        if (order && answer.statusCode === 201) front.orders.push(order);
        const { 'content-length': _, ...others } = answer.headers;
        const isDirectory = url === '/dir';
        const added = isDirectory
          ? JSON.stringify({ ...JSON.parse(told), renewalInfo: `https://${host}/renewal-info` })
          : told;
        response.writeHead(answer.statusCode ?? 502, others).end(added);
      },
    );
    sent.on('error', () => response.destroy());
    sent.end(body);
  });
  return front;
}
