import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { constants } from 'node:http2';
import { text } from 'node:stream/consumers';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { ask, open, start, stop, tlsOptions } from './http2.fixture.ts';

afterEach(stop);

describe('connections of HTTP/2', () => {
  it('an upload that nobody reads is not read, nor an answer that its client does not read', async () => {
    let upload: IncomingMessage | undefined;
    let sent = 0;
    const { port } = await start((request, response) => {
      if (request.method === 'POST') upload = request;
      else {
        const send = () => {
          do sent += 16_384;
          while (!response.destroyed && response.write(Buffer.alloc(16_384)));
        };
        response.on('drain', send);
        send();
      }
    });
    const session = open(port);
    const posted = session.request({ ':method': 'POST' });
    posted.on('error', () => {});
    posted.end(Buffer.alloc(5_000_000));
    const asked = session.request({ ':path': '/endless' });
    asked.on('error', () => {});
    asked.pause();
    await expect.poll(() => upload !== undefined && sent > 0).toBe(true);
    const settle = async () => {
      let before = -1;
      while (before !== sent) {
        before = sent;
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
    };
    await settle();
    // The window of the client's side, and what its end and ours keep.
    expect(sent).toBeLessThan(1_000_000);
    expect(upload?.readableLength).toBeLessThan(200_000);
    let received = 0;
    upload?.on('data', (chunk) => {
      received += chunk.length;
    });
    await expect.poll(() => received).toBe(5_000_000);
  });

  it('WebSockets go over connections of HTTP/1.1 beside it', async () => {
    const { port } = await start(() => {}, {
      upgrades: [{ path: '/socket', upgrade: (_, socket) => socket.write('HTTP/1.1 101 x\r\n\r\n') }],
    });
    const socket = connectTls({ ...tlsOptions, port, ALPNProtocols: ['http/1.1'] });
    socket.write(
      'GET /socket HTTP/1.1\r\nhost: localhost\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n',
    );
    expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1.1 101/);
    socket.destroy();
    const session = open(port);
    await once(session, 'remoteSettings');
    expect(session.remoteSettings.enableConnectProtocol).toBe(false);
  });

  it('HTTP/2 is offered to nobody where it is off', async () => {
    const { port } = await start(() => {}, { http2: false });
    const socket = connectTls({ ...tlsOptions, port, ALPNProtocols: ['h2', 'http/1.1'] });
    await once(socket, 'secureConnect');
    expect(socket.alpnProtocol).toBe('http/1.1');
    socket.destroy();
  });

  it('tells a request the address of its client', async () => {
    const { port } = await start(({ socket }, response) => {
      const { remoteAddress, encrypted } = socket as TLSSocket;
      response.end(`${remoteAddress} ${encrypted}`);
    });
    expect((await ask(open(port))).body).toBe('127.0.0.1 true');
  });

  it('more than a hundred requests at a time wait with the client', async () => {
    const responses: ServerResponse[] = [];
    const { port } = await start((_, response) => void responses.push(response));
    const session = open(port);
    const answers = Array.from({ length: 150 }, () => ask(session));
    await expect.poll(() => responses.length).toBe(100);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(responses.length).toBe(100);
    for (const response of responses.splice(0)) response.end();
    await expect.poll(() => responses.length).toBe(50);
    for (const response of responses) response.end();
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(Array(150).fill(200));
  });

  it('a body of the API has its time here too', async () => {
    const { port } = await start((request, response) => request.resume().on('end', () => response.end()), {
      bodyTimeoutMs: 100,
    });
    const stream = open(port).request({ ':method': 'POST' });
    stream.write('half');
    await expect(once(stream, 'close')).rejects.toMatchObject({ code: 'ERR_HTTP2_STREAM_ERROR' });
  });

  it('headers above 16 kB are answered 431, and the connection goes on', async () => {
    const { port } = await start((_, response) => response.end());
    const session = open(port);
    expect((await ask(session, { 'x-long': 'x'.repeat(20_000) })).status).toBe(431);
    expect((await ask(session)).status).toBe(200);
  });

  it('a stop answers the requests of a connection, and then ends it', async () => {
    let finish = () => {};
    const started = await start((request, response) => {
      if (request.url !== '/slow') return void response.end();
      response.write('half ');
      finish = () => response.end(Buffer.alloc(300_000, 'x'));
    });
    const session = open(started.port);
    const over = once(session, 'close');
    const stream = session.request({ ':path': '/slow' });
    await once(stream, 'response');
    const goodbye = once(session, 'goaway');
    started.refuseReuse();
    expect((await goodbye)[0]).toBe(constants.NGHTTP2_NO_ERROR);
    let isIdle = false;
    const idle = started.whenIdle().then(() => {
      isIdle = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(isIdle).toBe(false);
    finish();
    expect((await text(stream)).length).toBe(300_005);
    await idle;
    await over;
  });

  it('a connection without a request ends after a while, and one with a request does not', async () => {
    const { port } = await start(
      (request, response) => {
        if (request.url !== '/slow') return void response.end();
        setTimeout(() => response.end('late'), 600);
      },
      { idleMs: 200 },
    );
    const [idle, busy] = [open(port), open(port)];
    const over = once(idle, 'close');
    expect((await ask(busy, { ':path': '/slow' })).body).toBe('late');
    await over;
    await once(busy, 'close');
  });
});
