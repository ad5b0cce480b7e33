import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { listenOnLoopback } from '@pult/testkit';
import { afterEach, expect, it } from 'vitest';
import { applyParserBudget } from './parser-budget.ts';

let server: Server;
let client: Socket;
afterEach(async () => {
  client.destroy();
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
});

async function start(onRequest: RequestListener): Promise<void> {
  server = createServer(onRequest);
  applyParserBudget(server, 'connection');
  client = connect(await listenOnLoopback(server), '127.0.0.1');
  client.on('error', () => {});
}

const head = 'POST / HTTP/1.1\r\nhost: a\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n';
const letters = Array.from({ length: 20_000 }, (_, index) => String.fromCharCode(97 + (index % 26)));
const upload = `${head}${letters.map((letter) => `1\r\n${letter}\r\n`).join('')}0\r\n\r\n`;

/** So many calls of `happen` came in each turn of the event loop. */
function countByTurn() {
  const turns: number[] = [];
  let current = 0;
  return {
    turns,
    happen() {
      if (current === 0)
        setImmediate(() => {
          turns.push(current);
          current = 0;
        });
      current += 1;
    },
  };
}

it.each([
  ['', ''],
  [' behind a body of known length', 'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 4\r\n\r\nbody'],
])(
  'an upload in single bytes%s is parsed a few chunks in each turn, and arrives whole',
  async (_, before) => {
    const pieces = countByTurn();
    await start((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => {
        pieces.happen();
        body += chunk;
      });
      request.on('end', () => response.end(body));
    });
    client.write(before + upload);
    expect(await text(client)).toContain(letters.join(''));
    expect(pieces.turns.reduce((sum, count) => sum + count, 0)).toBe(letters.length + (before ? 1 : 0));
    // A chunk has two lines; a turn of the loop may see the end of one of ours and the next.
    expect(Math.max(...pieces.turns)).toBeLessThanOrEqual(2 * 256);
  },
);

it('requests that come at once are begun a few in each turn, and answered in their order', async () => {
  const requests = countByTurn();
  await start(({ url }, response) => {
    requests.happen();
    response.end(`<${url}>`);
  });
  const urls = Array.from({ length: 2_000 }, (_, index) => `/${index}`);
  client.write(urls.map((url) => `GET ${url} HTTP/1.1\r\nhost: a\r\n\r\n`).join(''));
  client.write('GET /end HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n');
  const answer = await text(client);
  expect([...answer.matchAll(/<([^>]*)>/g)].map(([, url]) => url)).toEqual([...urls, '/end']);
  expect(Math.max(...requests.turns)).toBeLessThanOrEqual(2 * 171);
});

it('an upload that nobody reads holds its connection back', async () => {
  let request: IncomingMessage | undefined;
  await start((incoming, response) => {
    request = incoming;
    incoming.on('end', () => response.end('done'));
  });
  const line = `${'x'.repeat(30)}\n`;
  const size = 32 * 1024 * 1024;
  client.write(`POST / HTTP/1.1\r\nhost: a\r\nconnection: close\r\ncontent-length: ${size}\r\n\r\n`);
  client.write(line.repeat(Math.ceil(size / line.length)).slice(0, size));
  let seen = -1;
  const isSettled = () => {
    const settled = seen > 0 && seen === request?.socket.bytesRead;
    seen = request?.socket.bytesRead ?? -1;
    return settled;
  };
  await expect.poll(isSettled, { interval: 200 }).toBe(true);
  expect(request?.readableLength).toBeLessThan(256 * 1024);
  expect(seen).toBeLessThan(1024 * 1024);
  request?.resume();
  expect(await text(client)).toContain('done');
});

it.each([
  ['at once', (use: () => void) => use()],
  ['later', (use: () => void) => setTimeout(use, 50)],
])('all that came behind an upgrade is there, in its order, for who takes it %s', async (_, when) => {
  await start(() => {});
  server.on('upgrade', (_request, socket, first) => {
    when(() => {
      socket.unshift(first);
      socket.on('data', (chunk: Buffer) => socket.write(chunk));
      socket.on('end', () => socket.end());
    });
  });
  const lines = Array.from({ length: 5_000 }, (_, index) => `${index}\n`).join('');
  client.write(`GET / HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n${lines}`);
  let answer = '';
  client.on('data', (chunk) => {
    answer += chunk;
  });
  await expect.poll(() => answer.length).toBe(lines.length);
  expect(answer).toBe(lines);
});
