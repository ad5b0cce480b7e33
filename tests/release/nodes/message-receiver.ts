import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ResourceStack } from '@pult/testkit';

/** Takes webhooks, and counts how often each message arrives, by its id. `answer` ends the answer, now or later. */
export async function startMessageReceiver(
  stack: ResourceStack,
  answer: (response: ServerResponse) => void = (response) => void response.end(),
) {
  const received = new Map<string, number>();
  const server = createServer((request, response) => {
    const id = String(request.headers['webhook-id']);
    received.set(id, (received.get(id) ?? 0) + 1);
    request.resume();
    answer(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A listening TCP server has an address object.
  const { port } = server.address() as AddressInfo;
  stack.use({
    [Symbol.asyncDispose]: async () => {
      server.close();
      server.closeAllConnections();
    },
  });
  return { url: `http://127.0.0.1:${port}/`, received };
}
