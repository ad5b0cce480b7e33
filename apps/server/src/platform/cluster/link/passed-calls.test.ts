import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { listen } from '@pult/testkit/in-test';
import { expect, it } from 'vitest';
import type { NodeStream } from './node-link.ts';
import { createPassedCalls } from './passed-calls.ts';

it('a call whose client has sent a body is answered by the other node, which waits for none', async () => {
  const otherPort = await listen(
    createServer(async (request, response) => {
      response.end(`${request.method} with ${(await text(request)).length} bytes`);
    }),
  );
  const passedCalls = createPassedCalls({
    // A socket is all of a stream between nodes that this needs.
    link: { open: () => connect(otherPort, '127.0.0.1') as unknown as NodeStream },
    findAddress: async () => '127.0.0.1:1',
    addressOf: () => '192.0.2.1',
  });
  const port = await listen(
    createServer((request, response) => {
      request.resume();
      void passedCalls.answer(request, response, 'other', () => {});
    }),
  );
  const sent = httpRequest({ port, host: '127.0.0.1', method: 'DELETE', headers: { 'content-length': '2' } });
  sent.end('{}');
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  expect(await text(answer)).toBe('DELETE with 0 bytes');
});
