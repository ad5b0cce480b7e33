import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseProxyHeader, readProxyHeader } from './proxy-header.ts';

const binary = (command: number, family: number, rest: Buffer) => {
  const head = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1');
  const length = Buffer.alloc(2);
  length.writeUInt16BE(rest.length);
  return Buffer.concat([head, Buffer.from([0x20 | command, family]), length, rest]);
};
const ports = Buffer.alloc(4);
const v4 = binary(1, 0x11, Buffer.concat([Buffer.from([203, 0, 113, 7, 10, 0, 0, 1]), ports]));
const v6 = binary(
  1,
  0x21,
  Buffer.concat([Buffer.from('20010db8000000000000000000000007', 'hex'), Buffer.alloc(16), ports]),
);

describe('reads', () => {
  it.each<[string, Buffer, string | undefined]>([
    ['version 1', Buffer.from('PROXY TCP4 203.0.113.7 10.0.0.1 40000 2222\r\n'), '203.0.113.7'],
    ['version 1 of IPv6', Buffer.from('PROXY TCP6 2001:db8::7 ::1 40000 2222\r\n'), '2001:db8::7'],
    ['version 1 of nobody known', Buffer.from('PROXY UNKNOWN\r\n'), undefined],
    [
      'version 1 with an address of no such family',
      Buffer.from('PROXY TCP4 2001:db8::7 ::1 1 1\r\n'),
      undefined,
    ],
    ['version 2', v4, '203.0.113.7'],
    ['version 2 of IPv6', v6, '2001:db8::7'],
    [
      'version 2 with more behind the addresses',
      binary(1, 0x11, Buffer.concat([v4.subarray(16), Buffer.alloc(9)])),
      '203.0.113.7',
    ],
    ['version 2 of the proxy itself', binary(0, 0, Buffer.alloc(0)), undefined],
  ])('%s, however it is sliced', (_, header, address) => {
    for (let length = 1; length < header.length; length += 1) {
      expect(parseProxyHeader(header.subarray(0, length))).toBe('more');
    }
    const whole = { length: header.length, address };
    expect(parseProxyHeader(header)).toEqual(whole);
    expect(parseProxyHeader(Buffer.concat([header, Buffer.from('SSH-2.0-x\r\n')]))).toEqual(whole);
  });

  it.each(['SSH-2.0-x', 'PROXIED', '\r\n\r\nGET', `PROXY ${'x'.repeat(200)}`, '\0'])(
    'nothing in %j',
    (text) => {
      expect(parseProxyHeader(Buffer.from(text))).toBe('none');
    },
  );

  it('no header whose length is beyond reason', () => {
    expect(parseProxyHeader(binary(1, 0x11, Buffer.alloc(4_000)))).toBe('none');
  });
});

describe('on a connection', () => {
  const server = createServer();
  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => server.close());

  async function accept(): Promise<{ client: Socket; accepted: Socket }> {
    const address = server.address();
    const client = connect(typeof address === 'object' && address ? address.port : 0, '127.0.0.1');
    const [accepted] = await once(server, 'connection');
    return { client, accepted };
  }

  it.each([
    ['a header', v4, '203.0.113.7'],
    ['no header', Buffer.alloc(0), undefined],
  ])('leaves what follows %s to be read', async (_, header, expected) => {
    const { client, accepted } = await accept();
    client.end(Buffer.concat([header, Buffer.from('SSH-2.0-x\r\nrest')]));
    expect(await readProxyHeader(accepted, 1_000)).toBe(expected);
    let rest = '';
    for await (const chunk of accepted) rest += chunk;
    expect(rest).toBe('SSH-2.0-x\r\nrest');
  });

  it('waits no longer for a connection that this end has closed', async () => {
    const { client, accepted } = await accept();
    const reading = readProxyHeader(accepted, 600_000);
    accepted.destroy();
    await expect(reading).rejects.toThrow();
    client.destroy();
  });

  it('gives up on a client that ends or says nothing', async () => {
    const ended = await accept();
    ended.client.end('PROXY');
    await expect(readProxyHeader(ended.accepted, 1_000)).rejects.toThrow('ended');
    const silent = await accept();
    await expect(readProxyHeader(silent.accepted, 20)).rejects.toThrow();
    for (const { client, accepted } of [ended, silent]) {
      client.destroy();
      accepted.destroy();
    }
  });
});
