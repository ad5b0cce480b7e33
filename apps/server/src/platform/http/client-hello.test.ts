import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { connect } from 'node:tls';
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { parseServerName } from './client-hello.ts';

let hello: Buffer;

/** What Node's own TLS client says first. */
async function recordHello(servername: string): Promise<Buffer> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const client = connect({ port, host: '127.0.0.1', servername, rejectUnauthorized: false });
  client.on('error', () => {});
  const [socket] = (await once(server, 'connection')) as [Socket];
  const [bytes] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  server.close();
  return bytes;
}

beforeAll(async () => {
  hello = await recordHello('Agent.Example.com');
});

/** The same message in records of that length. */
function cutRecords(bytes: Buffer, size: number): Buffer {
  const message = bytes.subarray(5);
  const records: Buffer[] = [];
  for (let at = 0; at < message.length; at += size) {
    const piece = message.subarray(at, at + size);
    records.push(Buffer.from([22, 3, 1, piece.length >> 8, piece.length & 255]), piece);
  }
  return Buffer.concat(records);
}

it('the name that a TLS client asks for is read in small letters', () => {
  expect(parseServerName(hello)).toEqual({ name: 'agent.example.com' });
});

it('a TLS client’s first message is waited for until it is whole', () => {
  for (let length = 0; length < hello.length; length++) {
    const parsed = parseServerName(hello.subarray(0, length));
    expect(parsed).toEqual({ needed: length < 5 ? 5 : hello.length });
  }
});

it('a TLS client’s first message may come in several records', () => {
  // A newer Node.js says three times as much.
  for (const records of [2, 4, 16, 32]) {
    const size = Math.ceil((hello.length - 5) / records);
    expect(parseServerName(cutRecords(hello, size))).toEqual({ name: 'agent.example.com' });
  }
});

it('a TLS client’s first message in records of a byte each is not put together', () => {
  expect(parseServerName(cutRecords(hello, 1))).toEqual({ name: '' });
});

it('a TLS client that names nobody has an empty name', async () => {
  expect(parseServerName(await recordHello(''))).toEqual({ name: '' });
});

it('what is no TLS, a message of another sort, empty records or one that is too long has an empty name', () => {
  const other = Buffer.from(hello);
  other[5] = 2;
  const long = Buffer.from([22, 3, 1, 0, 4, 1, 255, 255, 255]);
  const empty = Buffer.concat(Array.from({ length: 40 }, () => Buffer.from([22, 3, 1, 0, 0])));
  for (const bytes of [Buffer.from('GET / HTTP/1.1'), other, long, empty]) {
    expect(parseServerName(bytes)).toEqual({ name: '' });
  }
});

it('whatever a client says first, its name is read without an error', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), fc.nat(), (noise, at) => {
      const bytes = Buffer.from(hello);
      bytes.set(noise.slice(0, bytes.length - (at % bytes.length)), at % bytes.length);
      parseServerName(bytes);
      parseServerName(Buffer.from(noise));
    }),
  );
});
