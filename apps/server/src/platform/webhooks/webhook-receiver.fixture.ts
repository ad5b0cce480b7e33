import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  headers: IncomingMessage['headers'];
  body: string;
  path: string;
}

/** A receiver of webhooks on this machine, whose answer the test sets. */
export async function createReceiver() {
  const received: Received[] = [];
  let answer: { status: number; headers?: Record<string, string> } = { status: 204 };
  const receiver = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    received.push({ headers: request.headers, body, path: request.url ?? '' });
    response.writeHead(answer.status, answer.headers).end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const { port } = receiver.address() as AddressInfo; // it listens on TCP
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    answerWith(status: number, headers: Record<string, string> = {}) {
      answer = { status, headers };
    },
    async [Symbol.asyncDispose]() {
      receiver.closeAllConnections();
      await new Promise((resolve) => receiver.close(resolve));
    },
  };
}
