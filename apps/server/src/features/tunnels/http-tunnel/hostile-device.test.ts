import type { Socket } from 'node:net';
import { ServiceError } from '@pult/link';
import type { HttpClient } from '@pult/testkit';
import { linkTestDevice } from '@pult/testkit/in-process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type ClaimedDevice,
  createTunnelFixture,
  startRawUpstream,
  type TunnelFixture,
} from '../tunnel.fixture.ts';

let fixture: TunnelFixture;
let upstream: Awaited<ReturnType<typeof startRawUpstream>>;
let device: ClaimedDevice;
let browser: HttpClient;
/** What the device does with a connection, once a request has come. */
let serve: (socket: Socket) => void = () => {};

beforeAll(async () => {
  upstream = await startRawUpstream((socket) => socket.once('data', () => serve(socket)));
  fixture = await createTunnelFixture();
  device = await fixture.addDevice('HOSTILE-1', { endpoints: { http: upstream.port } });
  browser = await fixture.openBrowser(device);
});
afterAll(async () => {
  await fixture.close();
  upstream.close();
});

const get = (headers: Record<string, string> = {}) => browser.request(`${device.origin}/`, { headers });
const answerWith = (text: string | Buffer, end = true) => {
  serve = (socket) => (end ? socket.end(text) : socket.write(text));
};

describe('a device that answers', () => {
  it.each([
    ['garbage', 'hello there, this is no HTTP\r\n\r\n', 'its answer is not HTTP', 'не похож на HTTP'],
    ['a TLS alert', '\x15\x03\x01\x00\x02\x02\x46', 'its answer is not HTTP', 'не похож на HTTP'],
    ['nothing', '', 'closed it without an answer', 'закрыл его без ответа'],
    ['half a head', 'HTTP/1.1 200 OK\r\ncontent-le', 'within the headers', 'посреди заголовков'],
    [
      'a status of 0',
      'HTTP/1.1 000 Zero\r\ncontent-length: 0\r\n\r\n',
      'no HTTP status',
      'нет кода состояния',
    ],
    [
      'a status of 42',
      'HTTP/1.1 042 Low\r\ncontent-length: 0\r\n\r\n',
      'no HTTP status',
      'нет кода состояния',
    ],
    [
      'a switch of protocols',
      'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
      'another protocol (101)',
      'другой протокол (101)',
    ],
    [
      'a head of 100 KB',
      `HTTP/1.1 200 OK\r\n${'x-filler: 0123456789\r\n'.repeat(5000)}\r\n`,
      'longer than 64 kB',
      'длиннее 64 КБ',
    ],
    [
      'a line of 1 MB',
      `HTTP/1.1 200 OK\r\nx: ${'a'.repeat(1 << 20)}\r\n\r\n`,
      'longer than 64 kB',
      'длиннее 64 КБ',
    ],
  ])('%s is a bad gateway, whose page says what was wrong', async (_, text, english, russian) => {
    answerWith(Buffer.from(text, 'latin1'));
    for (const [language, words] of [
      ['en', english],
      ['ru', russian],
    ] as const) {
      const answer = await get({ 'accept-language': language });
      expect(answer.status).toBe(502);
      const page = await answer.text();
      expect(page).toContain(words);
      expect(page).toContain('HOSTILE-1');
    }
  });

  it.each([
    ['lines that end with LF', 'HTTP/1.1 200 OK\nx: a b\n\nok'],
    ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 200\r\nx: a b\r\n\r\nok'],
    [
      'a length and a coding',
      'HTTP/1.1 200 OK\r\nx: a b\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n',
    ],
    ['a control character in a header', 'HTTP/1.1 200 OK\r\nx: a\x01b\r\ncontent-length: 2\r\n\r\nok'],
    ['a carriage return alone in a header', 'HTTP/1.1 200 OK\r\nx: a\rb\r\ncontent-length: 2\r\n\r\nok'],
  ])('%s are shown as browsers show them', async (_, text) => {
    answerWith(Buffer.from(text, 'latin1'));
    const answer = await get();
    expect([answer.status, answer.headers.x, await answer.text()]).toEqual([200, 'a b', 'ok']);
  });

  it('a device that answers with words of its own for the status has them dropped', async () => {
    answerWith(Buffer.from('HTTP/1.1 200 O\x01K\xff\r\ncontent-length: 2\r\n\r\nok', 'latin1'));
    const answer = await get();
    expect([answer.status, await answer.text()]).toEqual([200, 'ok']);
    expect(answer.body.statusMessage).toBe('OK');
  });

  it('a device that answers with an unknown status has it passed', async () => {
    answerWith('HTTP/1.1 799 Odd\r\ncontent-length: 2\r\n\r\nok');
    expect((await get()).status).toBe(799);
  });

  it('a device that answers with letters beyond ASCII in a header has its bytes passed', async () => {
    answerWith(Buffer.from('HTTP/1.1 200 OK\r\nx-name: caf\xe9\r\ncontent-length: 0\r\n\r\n', 'latin1'));
    const answer = await get();
    expect(answer.headers['x-name']).toBe('caf\xe9');
    await answer.text();
  });

  it.each([
    ['fewer bytes than it promised', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf'],
    ['chunks without the last', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\nhalf\r\n'],
    ['a broken chunk', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\nhalf\r\nzz\r\n'],
  ])('%s is an error in the browser, no clean end', async (_, text) => {
    answerWith(text);
    // The cut may overtake the head.
    await expect(get().then((answer) => answer.text())).rejects.toThrow();
  });

  it('a device that answers until it closes has a whole answer by a close, and a broken one by a cut', async () => {
    answerWith('HTTP/1.0 200 OK\r\n\r\nall of it');
    expect(await (await get()).text()).toBe('all of it');
    serve = (socket) => {
      socket.write('HTTP/1.0 200 OK\r\n\r\npart of it', () => setTimeout(() => socket.resetAndDestroy(), 50));
    };
    const cut = await get();
    await expect(cut.text()).rejects.toThrow();
  });

  it('a device that answers and loses its link in the middle leaves the browser with an error', async () => {
    const lost = await fixture.addDevice('HOSTILE-2', { endpoints: { http: upstream.port } });
    const other = await fixture.openBrowser(lost);
    for (const head of ['content-length: 100', 'transfer-encoding: chunked', 'x-until: close']) {
      answerWith(
        `HTTP/1.1 200 OK\r\n${head}\r\n\r\n${head.startsWith('t') ? '4\r\nhalf\r\n' : 'half'}`,
        false,
      );
      const answer = await other.request(`${lost.origin}/`);
      answer.body.once('data', () => lost.linked.cut());
      await expect(answer.text()).rejects.toThrow();
      lost.linked = await linkTestDevice(fixture.server, lost, { endpoints: { http: upstream.port } });
    }
    lost.linked.link.close();
  });
});

describe('a page of ours', () => {
  const html = { accept: 'text/html,*/*', 'accept-language': 'ru' };

  it('says that the web server is silent, with 504', async () => {
    serve = () => {};
    const answer = await get({ 'accept-language': 'en' });
    expect(answer.status).toBe(504);
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(await answer.text()).toBe('Controller HOSTILE-1 is online, but its web server is silent.\n');
  });

  it('says that the connection was refused and why, with 502, without taking the device’s words for markup', async () => {
    const refusing = await fixture.addDevice('HOSTILE-3', {
      handlers: {
        connectService: () =>
          Promise.reject(new ServiceError('service_refused', '<script>alert(1)</script> refused')),
      },
    });
    const other = await fixture.openBrowser(refusing);
    const answer = await other.request(`${refusing.origin}/`, { headers: html });
    expect(answer.status).toBe(502);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      refresh: '5',
      'cache-control': 'no-store',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    });
    const page = await answer.text();
    expect(page).toContain('<html lang="ru">');
    expect(page).toContain('Веб-интерфейс не отвечает');
    expect(page).toContain('&#60;script&#62;alert(1)&#60;/script&#62; refused');
    expect(page).not.toContain('<script');
  });

  it('never repeats a form by itself', async () => {
    serve = (socket) => socket.destroy();
    const answer = await browser.request(`${device.origin}/`, { method: 'POST', body: 'a=1', headers: html });
    expect(answer.status).toBe(502);
    expect(answer.headers.refresh).toBeUndefined();
    await answer.text();
  });

  it('a page of ours is readable after an upload that had nowhere to go', async () => {
    serve = (socket) => socket.destroy();
    const body = Buffer.alloc(8 << 20);
    const answer = await browser.request(`${device.origin}/`, { method: 'POST', body, headers: html });
    expect(answer.status).toBe(502);
    expect(await answer.text()).toContain('<h1>');
  });

  it('says that the controller is offline, with 503, and answers HEAD without a body', async () => {
    const gone = await fixture.addDevice('HOSTILE-4', { endpoints: { http: upstream.port } });
    const other = await fixture.openBrowser(gone);
    gone.linked.link.close();
    await gone.linked.link.closed;
    const status = async () => {
      const answer = await other.request(`${gone.origin}/`, {
        headers: { ...html, 'accept-language': 'en' },
      });
      return [answer.status, (await answer.text()).includes('The controller is offline')];
    };
    await expect.poll(status).toEqual([503, true]);
    const head = await other.request(`${gone.origin}/`, { method: 'HEAD', headers: html });
    expect([head.status, await head.text()]).toEqual([503, '']);
  });
});
