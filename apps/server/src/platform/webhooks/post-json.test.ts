import { createServer, type ServerResponse } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { listen } from '@pult/testkit/in-test';
import { describe, expect, it } from 'vitest';
import type { ResolveName } from './bound-lookup.ts';
import { type PostOptions, postJson } from './post-json.ts';
import { isPrivateAddress, isPrivateUrl } from './private-network.ts';

const never = new AbortController().signal;
const post = (url: string, options: Partial<PostOptions> = {}, signal = never) =>
  postJson(url, { headers: { 'webhook-id': '1' }, body: '{}' }, signal, {
    allowsPrivate: false,
    ...options,
  });
const names =
  (...addresses: string[]): ResolveName =>
  (_name, _options, callback) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );

describe('an address of the server’s own network', () => {
  it.each([
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '100.127.255.255',
    '127.0.0.1',
    '127.255.255.254',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.1',
    '192.0.2.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:10.0.0.1',
    '::ffff:8.8.8.8',
    '64:ff9b::10.0.0.1',
    '64:ff9b:1::1',
    '100::1',
    '2001::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '3fff::1',
    '5f00::1',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    'no address',
    ...Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map(({ address }) => address)),
  ])('an address of the server’s own network is %s', (address) => {
    expect(isPrivateAddress(address)).toBe(true);
  });

  it.each([
    ['AWS, Google, Azure and most others', '169.254.169.254'],
    ['AWS', 'fd00:ec2::254'],
    ['the containers of AWS', '169.254.170.2'],
    ['Google', 'fd20:ce::254'],
    ['Azure', '168.63.129.16'],
    ['Azure in IPv6', '::ffff:168.63.129.16'],
    ['Azure through NAT64', '64:ff9b::168.63.129.16'],
    ['Alibaba', '100.100.100.200'],
    ['Oracle', '192.0.0.192'],
    ['Scaleway', '169.254.42.42'],
    ['Scaleway', 'fd00:42::42'],
    ['Tencent', '169.254.0.23'],
    ['OpenStack', 'fe80::a9fe:a9fe'],
  ])(
    'the metadata service of %s counts as an address of the server’s own network: %s',
    async (_, address) => {
      expect(isPrivateAddress(address)).toBe(true);
      const host = address.includes(':') ? `[${address}]` : address;
      expect(isPrivateUrl(new URL(`http://${host}/`))).toBe(true);
      const resolve = names(address);
      expect(await post('http://hook.example.com/', { resolve })).toEqual({ reason: 'address_private' });
    },
  );

  it.each([
    '1.1.1.1',
    '8.8.8.8',
    '100.63.255.255',
    '168.63.129.15',
    '172.32.0.1',
    '2606:4700:4700::1111',
    '2a00:1450::1',
  ])('an address of the server’s own network is not %s', (address) => {
    expect(isPrivateAddress(address)).toBe(false);
  });

  it.each([
    'http://127.0.0.1:{port}/',
    'http://127.1:{port}/',
    'http://2130706433:{port}/',
    'http://0x7f000001:{port}/',
    'http://0177.0.0.1:{port}/',
    'http://127.0.0.1.:{port}/',
    'http://0:{port}/',
    'http://[::1]:{port}/',
    'http://[::ffff:127.0.0.1]:{port}/',
    'http://[::ffff:7f00:1]:{port}/',
    'http://１２７.0.0.1:{port}/',
    'http://localhost:{port}/',
  ])('an address of the server’s own network is not called as %s', async (url) => {
    let calls = 0;
    const port = await listen(
      createServer((_request, response) => {
        calls += 1;
        response.end();
      }),
    );
    expect(await post(url.replace('{port}', String(port)))).toEqual({ reason: 'address_private' });
    expect(calls).toBe(0);
  });

  it.each([
    ['alone', ['127.0.0.1']],
    ['as IPv6', ['::ffff:127.0.0.1']],
    ['among public ones', ['1.1.1.1', '127.0.0.1']],
  ])(
    'an address of the server’s own network is not called by a name that stands for it %s',
    async (_, addresses) => {
      let calls = 0;
      const port = await listen(
        createServer((_request, response) => {
          calls += 1;
          response.end();
        }),
      );
      const answer = await post(`http://hook.example.com:${port}/`, { resolve: names(...addresses) });
      expect(answer).toEqual({ reason: 'address_private' });
      expect(calls).toBe(0);
    },
  );

  it('an address of the server’s own network is not called by a name that stands for it only at the second look', async () => {
    let looks = 0;
    const port = await listen(createServer((_request, response) => response.end()));
    const resolve: ResolveName = (name, options, callback) => {
      looks += 1;
      // What is looked at first goes nowhere; were it looked at again, it would be this machine.
      names(looks === 1 ? '192.0.2.77' : '127.0.0.1')(name, options, callback);
    };
    const allowed = await post(`http://hook.example.com:${port}/`, {
      resolve,
      allowsPrivate: true,
      timeLimitMs: 300,
    });
    expect(looks).toBe(1);
    expect(allowed).toMatchObject({ reason: expect.stringMatching(/timeout|unreachable/) });
  });

  it('an address of the server’s own network is called where that is allowed', async () => {
    const port = await listen(createServer((_request, response) => response.writeHead(204).end()));
    expect(await post(`http://127.0.0.1:${port}/`, { allowsPrivate: true })).toEqual({ status: 204 });
    const resolve = names('127.0.0.1');
    expect(await post(`http://hook.example.com:${port}/`, { resolve, allowsPrivate: true })).toEqual({
      status: 204,
    });
  });
});

describe('a receiver', () => {
  const allowed = { allowsPrivate: true };

  it('a receiver that sends elsewhere is not followed', async () => {
    const paths: (string | undefined)[] = [];
    const port = await listen(
      createServer((request, response) => {
        paths.push(request.url);
        response.writeHead(307, { location: '/other' }).end();
      }),
    );
    expect(await post(`http://127.0.0.1:${port}/first`, allowed)).toEqual({ status: 307 });
    expect(paths).toEqual(['/first']);
  });

  it('a receiver whose answer never ends is let go at its head', async () => {
    const port = await listen(
      createServer((_request, response) => {
        response.writeHead(200);
        const timer = setInterval(() => response.write('x'.repeat(10_000)), 1);
        response.on('close', () => clearInterval(timer));
      }),
    );
    expect(await post(`http://127.0.0.1:${port}/`, allowed)).toEqual({ status: 200 });
  });

  it('a receiver that refuses is read where that is asked for: its head, and the beginning of its text', async () => {
    let text = '';
    const port = await listen(
      createServer((request, response) => {
        request.resume();
        response.writeHead(429, { 'retry-after': '7' }).end(text);
      }),
    );
    const read = (readsRefusal: boolean) => {
      const request = { headers: {}, body: '{}', readsRefusal };
      return postJson(`http://127.0.0.1:${port}/`, request, never, allowed);
    };
    for (text of ['', '{"ok":false}', 'ж'.repeat(100_000)]) {
      expect(await read(true)).toEqual({ status: 429, retryAfter: '7', text: text.slice(0, 4096) });
    }
    expect(await read(false)).toEqual({ status: 429, retryAfter: '7' });
  });

  it.each([
    ['never ends', (response: ServerResponse) => void response.write('{"a"')],
    ['breaks off', (response: ServerResponse) => void response.write('{"a"', () => response.destroy())],
  ])('a receiver that refuses with a text that %s has answered', async (_, end) => {
    const port = await listen(createServer((_request, response) => end(response.writeHead(503))));
    const request = { headers: {}, body: '{}', readsRefusal: true };
    const answer = await postJson(`http://127.0.0.1:${port}/`, request, never, {
      ...allowed,
      timeLimitMs: 100,
    });
    expect(answer).toMatchObject({ status: 503 });
  });

  it('a receiver that says nothing, or endless headers, is given up', async () => {
    const port = await listen(createServer());
    expect(await post(`http://127.0.0.1:${port}/`, { ...allowed, timeLimitMs: 100 })).toEqual({
      reason: 'timeout',
    });
    const endless = createTcpServer((socket) => {
      socket.on('error', () => {}).resume();
      socket.write(`HTTP/1.1 200 OK\r\nx-long: ${'x'.repeat(40_000)}`);
    });
    const other = await listen(endless);
    expect(await post(`http://127.0.0.1:${other}/`, allowed)).toEqual({ reason: 'unreachable' });
  });

  it('a receiver that changes the protocol or hangs up instead of an answer is given up at once', async () => {
    const switching = 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n';
    for (const answer of [switching, '']) {
      const server = createTcpServer((socket) => {
        socket.on('error', () => {}).resume();
        socket.end(answer);
      });
      const port = await listen(server);
      expect(await post(`http://127.0.0.1:${port}/`, allowed)).toEqual({ reason: 'unreachable' });
    }
  });

  it('a receiver that is not there, has no address or no good certificate is told apart', async () => {
    const server = createServer((_request, response) => response.end());
    const port = await listen(server);
    await new Promise((resolve) => server.close(resolve));
    expect(await post(`http://127.0.0.1:${port}/`, allowed)).toEqual({ reason: 'unreachable' });
    const resolve: ResolveName = (_name, _options, callback) =>
      callback(Object.assign(new Error('none'), { code: 'ENOTFOUND' }), []);
    expect(await post('http://hook.example.com/', { resolve })).toEqual({ reason: 'name_unknown' });
  });

  it('a receiver is not waited for when the server stops', async () => {
    const port = await listen(createServer());
    const stopping = new AbortController();
    const answer = post(`http://127.0.0.1:${port}/`, allowed, stopping.signal);
    stopping.abort();
    await expect(answer).rejects.toThrow();
  });
});
