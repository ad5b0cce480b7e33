import { once } from 'node:events';
import { createServer, Server } from 'node:net';
import { freePort } from '@pult/testkit';
import { createListeningServer } from '@pult/testkit/in-process';
import { pino } from 'pino';
import type { ClientChannel } from 'ssh2';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { createJumpFixture, type JumpFixture, openChannel } from './jump.fixture.ts';

let t: JumpFixture;
beforeAll(async () => {
  t = await createJumpFixture();
});
afterAll(() => t[Symbol.asyncDispose]());

async function readAll(channel: ClientChannel): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of channel) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

it('carries bytes both ways to port 22 of the controller, whatever the case of its serial number', async () => {
  const client = await t.logIn();
  for (const host of ['JUMP-1', 'jump-1', `Jump-1.localhost`, 'jump-1.http.localhost']) {
    const channel = await openChannel(client, host);
    channel.end('привет');
    expect(await readAll(channel)).toBe('hello привет');
  }
  client.end();
  await once(client, 'close');
});

/** Somebody else's listener; on a port that is taken already there is one. */
async function occupy(port: number) {
  const other = createServer();
  await new Promise<void>((resolve) => {
    other.once('error', () => resolve());
    other.listen(port, '127.0.0.1', resolve);
  });
  return { [Symbol.dispose]: () => void other.close() };
}

const addressOf = async (server: Awaited<ReturnType<typeof createListeningServer>>) =>
  ((await server.call('getEnvironments')).body as { SSH_JUMP: unknown }).SSH_JUMP;

it('goes without a jump host where its usual port is taken and nobody asked for one, and says so in one line', async () => {
  using _other = await occupy(2222);
  const lines: string[] = [];
  const log = pino({ level: 'warn', base: null }, { write: (line) => void lines.push(line) });
  await using server = await createListeningServer({ environment: { SSH_JUMP_PORT: '' }, log });
  expect(await addressOf(server)).toBeNull();
  expect(lines.filter((line) => /SSH/.test(line)).map((line) => JSON.parse(line).msg)).toEqual([
    'no SSH jump host: its port is taken or forbidden; choose another with SSH_JUMP_PORT',
  ]);
});

it('goes without a jump host where the system forbids its usual port', async () => {
  const { listen } = Server.prototype;
  const forbidden = vi.spyOn(Server.prototype, 'listen').mockImplementation(function (this: Server, ...args) {
    const [options] = args as [{ port?: number }];
    if (options.port !== 2222) return Reflect.apply(listen, this, args);
    queueMicrotask(() => this.emit('error', Object.assign(new Error('listen'), { code: 'EACCES' })));
    return this;
  });
  onTestFinished(() => forbidden.mockRestore());
  await using server = await createListeningServer({ environment: { SSH_JUMP_PORT: '' } });
  expect(await addressOf(server)).toBeNull();
});

it('the server does not start where the port that was asked for is taken, and says which setting it is', async () => {
  const port = await freePort();
  using _other = await occupy(port);
  const starting = createListeningServer({ environment: { SSH_JUMP_PORT: String(port) } });
  await expect(starting).rejects.toThrow(`cannot listen on port ${port} (EADDRINUSE); see SSH_JUMP_PORT`);
});

it('tells the address under which people reach it, where that is another one', async () => {
  const environment = {
    SSH_JUMP_PORT: String(await freePort()),
    SSH_JUMP_ADDRESS: 'ssh.example.com:22',
  };
  await using server = await createListeningServer({ environment });
  expect(await addressOf(server)).toMatchObject({ host: 'ssh.example.com', port: 22 });
});

it('ends open sessions when the server stops, and writes their last line into the audit log first', async () => {
  const own = await createJumpFixture();
  const client = await own.logIn();
  client.on('error', () => {});
  const channel = await openChannel(client, own.device.serialNumber);
  channel.resume();
  const closed = once(client, 'close');
  const log = own.fixture.server.db;
  await own.fixture.server.server.close(0);
  await closed;
  const events = await log
    .selectFrom('audit_events')
    .select('details')
    .where('action', '=', 'ssh_session.closed')
    .execute();
  expect(events).toEqual([{ details: expect.objectContaining({ reason: 'server_stopping' }) }]);
  await own[Symbol.asyncDispose]();
});
