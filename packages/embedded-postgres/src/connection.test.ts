import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { connectionAt, waitUntilReady } from './connection.ts';
import { port } from './settings.ts';

const message = (type: string, ...body: number[]) =>
  Buffer.from([...Buffer.from(type), 0, 0, 0, body.length + 4, ...body]);
/** PostgreSQL's words that somebody is let in, and that a statement was carried out. */
const letIn = Buffer.concat([message('R', 0, 0, 0, 0), message('Z', 73)]);
const done = Buffer.concat([message('C', ...Buffer.from('SELECT 1\0')), message('Z', 73)]);

const letInOnly = (socket: Socket) => socket.once('data', () => socket.write(letIn));
const answer = (socket: Socket) =>
  socket.once('data', () => {
    socket.write(letIn);
    socket.on('data', () => socket.write(done));
  });

it('a database that is silent before or after its login, or cuts connections, is waited for', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pult-silent-'));
  const ways: ((socket: Socket) => unknown)[] = [() => {}, (socket) => socket.end(), letInOnly, answer];
  const met: Socket[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => {});
    ways[met.length]?.(socket.resume());
    met.push(socket);
  });
  try {
    server.listen(join(folder, `.s.PGSQL.${port}`));
    await once(server, 'listening');
    await waitUntilReady(connectionAt(folder, 'secret'), new AbortController().signal, 500);
    expect(met).toHaveLength(ways.length);
  } finally {
    for (const socket of met) socket.destroy();
    server.close();
    await rm(folder, { recursive: true });
  }
});
