import { createServer, type Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { listenOnLoopback, whenClosed } from '@pult/testkit';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createMailServer, demandsTls } from './mail-server.ts';

it.each([
  ['smtp://user:password@mail.example.com', true],
  ['smtp://user:password@10.0.0.1:587', true],
  ['smtp://user:password@localhost.example.com', true],
  ['smtp://user:password@127.0.0.1.example.com', true],
  ['smtp://user:password@localhost:25', false],
  ['smtp://user:password@127.0.0.1', false],
  ['smtp://user:password@[::1]:25', false],
  ['smtp://mail.example.com', false],
  ['smtp://user:password@mail.example.com/?ignoreTLS=true', false],
  ['smtp://user:password@mail.example.com/?requireTLS=false', false],
  // Encrypted before anything is said.
  ['smtps://user:password@mail.example.com', false],
])('a login at %s demands STARTTLS: %s', (url, expected) => {
  expect(demandsTls(new URL(url))).toBe(expected);
});

describe('a mail server that hangs', () => {
  const mail = {
    messageId: '<one@example.com>',
    to: 'anna@example.org',
    subject: 'Hello',
    text: 'Hello',
    html: '<p>Hello</p>',
    locale: 'en',
  };
  const never = new AbortController().signal;

  /** Says a line to each that it hears, and then a piece of another again and again, without end. */
  async function startHanging(answers: readonly string[], drip: string) {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket.on('error', () => {}));
      const left = [...answers];
      const say = () => {
        const line = left.shift();
        if (line !== undefined) return void socket.write(line);
        socket.off('data', say);
        const timer = setInterval(() => drip !== '' && socket.write(drip), 20);
        socket.on('close', () => clearInterval(timer));
      };
      say();
      socket.on('data', say);
    });
    const port = await listenOnLoopback(server);
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
      server.close();
    });
    return { url: `smtp://127.0.0.1:${port}`, sockets };
  }

  const greeting = '220 here\r\n';
  const [taken, go] = ['250 ok\r\n', '354 go\r\n'];
  it.each([
    ['says nothing', [], ''],
    ['greets without end', [], '220-and\r\n'],
    ['says nothing after its greeting', [greeting], ''],
    ['drips its answer to the sender', [greeting, taken], '250-and\r\n'],
    ['drips its answer to the text', [greeting, taken, taken, taken, go], '250-and\r\n'],
  ])(
    'a mail ends at its limit, and its connection, when it %s',
    async (_, answers, drip) => {
      const { url, sockets } = await startHanging(answers, drip);
      const server = createMailServer({ url, from: 'pult@example.com', limitMs: 1_000 });
      // A limit that nobody holds does not outlive this.
      setFlagsFromString('--expose-gc');
      const collect = setInterval(runInNewContext('gc') as () => void, 50);
      onTestFinished(() => clearInterval(collect));
      await expect(server.send(mail, never)).rejects.toMatchObject({ isFinal: false });
      expect(sockets.size).toBe(1);
      for (const socket of sockets) await whenClosed(socket);
    },
    8_000,
  );

  it('lets go of a mail when the server stops', async () => {
    const { url, sockets } = await startHanging([greeting], '');
    const server = createMailServer({ url, from: 'pult@example.com' });
    const stopping = new AbortController();
    const sending = server.send(mail, stopping.signal);
    await expect.poll(() => sockets.size).toBe(1);
    stopping.abort();
    await expect(sending).rejects.toMatchObject({ isFinal: false });
  });
});
