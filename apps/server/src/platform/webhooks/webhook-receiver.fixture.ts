import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  method: string;
  headers: IncomingMessage['headers'];
  body: string;
  path: string;
}

/**
 * A receiver of webhooks on this machine, whose answer the test sets. What stands for an API refuses by itself what that
 * would refuse: `refuse` gives the status, or none for what it takes.
 */
export async function createReceiver(refuse: (request: Received) => number | undefined = () => undefined) {
  const received: Received[] = [];
  let answer: { status: number; headers?: Record<string, string>; text?: string } = { status: 204 };
  const receiver = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { method = '', headers, url: path = '' } = request;
    received.push({ method, headers, body, path });
    const refused = refuse({ method, headers, body, path });
    if (refused !== undefined) response.writeHead(refused).end();
    else response.writeHead(answer.status, answer.headers).end(answer.text);
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const { port } = receiver.address() as AddressInfo; // it listens on TCP
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    answerWith(status: number, headers: Record<string, string> = {}, text = '') {
      answer = { status, headers, text };
    },
    async [Symbol.asyncDispose]() {
      receiver.closeAllConnections();
      await new Promise((resolve) => receiver.close(resolve));
    },
  };
}
