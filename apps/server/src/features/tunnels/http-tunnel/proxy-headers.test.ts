import type { IncomingMessage, RequestListener } from 'node:http';
import type { HttpClient } from '@pult/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  type ClaimedDevice,
  createTunnelFixture,
  startUpstream,
  type TunnelFixture,
  type WebUpstream,
} from '../tunnel.fixture.ts';
import { rewriteLocation } from './redirects.ts';

let fixture: TunnelFixture;
let upstream: WebUpstream;
let device: ClaimedDevice;
let browser: HttpClient;
let answer: RequestListener;
let received: IncomingMessage;

beforeAll(async () => {
  upstream = await startUpstream((incoming, response) => {
    received = incoming;
    answer(incoming, response);
  });
  fixture = await createTunnelFixture();
  device = await fixture.addDevice('HEADERS-1', { endpoints: { http: upstream.port } });
  browser = await fixture.openBrowser(device);
});
afterAll(async () => {
  await fixture.close();
  upstream.close();
});
beforeEach(() => {
  answer = (_, response) => response.end('ok');
});

async function get(headers: Record<string, string> = {}, method = 'GET') {
  const result = await browser.request(`${device.origin}/x`, { headers, method });
  await result.text();
  return result;
}

describe('what a device sees', () => {
  it('keeps Host, and the device’s own Authorization and cookies', async () => {
    const cookie = `${browser.cookies.getHeader(device.hostname)}; theme=dark; pult_session=stolen`;
    await get({ authorization: 'Basic ZGV2aWNlOm93bg==', cookie });
    expect(received.headers).toMatchObject({
      host: new URL(device.origin).host,
      authorization: 'Basic ZGV2aWNlOm93bg==',
      cookie: 'theme=dark',
    });
  });

  it('what a device sees has no cookie header when only ours were sent', async () => {
    await get();
    expect(received.headers.cookie).toBeUndefined();
  });

  it('never sees a cookie named as ours, however it is written', async () => {
    const own = browser.cookies.getHeader(device.hostname);
    for (const name of ['__Host-pult_tunnel', 'PULT_SESSION', '__secure-Pult_x', ' pult_tunnel ']) {
      await get({ cookie: `${own}; ${name}=1; kept=2` });
      expect(received.headers.cookie).toBe('kept=2');
    }
  });

  it('what a device sees has no word of a browser about who a proxy has found it to be', async () => {
    const forged = [
      ...['X-SSL-Client-Verify', 'X-SSL-Client-Cert', 'SSL_CLIENT_S_DN', 'Client-Cert', 'Client-Cert-Chain'],
      ...['X-Client-IP', 'True-Client-IP', 'X-Cluster-Client-IP', 'Remote-User', 'X_Remote_User'],
      ...['X-Remote-Group', 'X-WEBAUTH-USER', 'X-Auth-Request-Email', 'X-Authenticated-User', 'X-Forwarded'],
    ];
    await get({ ...Object.fromEntries(forged.map((name) => [name, 'admin'])), 'X-Client-Version': '7' });
    expect(Object.values(received.headers)).not.toContain('admin');
    expect(received.headers['x-client-version']).toBe('7');
  });

  it('gets forwarding headers from us alone', async () => {
    await get({
      'x-forwarded-for': '6.6.6.6',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-user': 'root',
      'x-real-ip': '6.6.6.6',
      forwarded: 'for=6.6.6.6',
      X_Forwarded_User: 'root',
    });
    const names = Object.keys(received.headers).filter((name) => /forward|real/.test(name));
    expect(names.sort()).toEqual(['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto']);
    expect(received.headers).toMatchObject({
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-host': new URL(device.origin).host,
      'x-forwarded-proto': 'http',
    });
  });

  it('gets nothing that was meant for one connection', async () => {
    await get({
      connection: 'keep-alive, x-hop',
      'x-hop': '1',
      'keep-alive': 'timeout=5',
      te: 'trailers',
      'proxy-authorization': 'Basic eA==',
      'proxy-connection': 'keep-alive',
    });
    for (const name of ['x-hop', 'keep-alive', 'te', 'proxy-authorization', 'proxy-connection']) {
      expect(received.headers[name]).toBeUndefined();
    }
  });

  it('keeps length and host though Connection names them', async () => {
    const body = 'GET /smuggled HTTP/1.1\r\nhost: x\r\n\r\n';
    let text = '';
    answer = async (incoming, response) => {
      for await (const chunk of incoming) text += chunk;
      response.end('ok');
    };
    const headers = { connection: 'keep-alive, content-length, host' };
    const result = await browser.request(`${device.origin}/x`, { method: 'POST', headers, body });
    await result.text();
    expect(received.url).toBe('/x');
    expect(text).toBe(body);
    expect(received.headers.host).toBe(new URL(device.origin).host);
  });
});

describe('what a browser sees', () => {
  it('gets each of several cookies, of this host alone', async () => {
    answer = (_, response) => {
      response.setHeader('set-cookie', [
        'a=1; Path=/; Domain=.http.localhost; HttpOnly',
        'b=2;domain=localhost;SameSite=Lax',
        'c=3; Domain; Secure',
        'd=4; path=/domain=x',
      ]);
      response.end();
    };
    expect((await get()).headers['set-cookie']).toEqual([
      'a=1; Path=/; HttpOnly',
      'b=2;SameSite=Lax',
      // Through a tunnel in plain http the browser would not take it.
      'c=3',
      'd=4; path=/domain=x',
    ]);
  });

  it('gets no cookie named as ours, even without a name', async () => {
    answer = (_, response) => {
      response.setHeader('set-cookie', [
        'pult_tunnel=evil',
        '__Host-pult_session=evil; Secure; Path=/',
        ' Pult_Tunnel =evil',
        '=pult_tunnel=evil',
        'pult_tunnel',
        'kept=1',
      ]);
      response.end();
    };
    expect((await get()).headers['set-cookie']).toEqual(['kept=1']);
  });

  it('gets nothing that outlives the answer or locks people out', async () => {
    answer = (_, response) => {
      response.writeHead(200, {
        'strict-transport-security': 'max-age=31536000; includeSubDomains',
        'clear-site-data': '"*"',
        'public-key-pins': 'x',
        'alt-svc': 'h2="evil.example:443"',
        'x-kept': '1',
      });
      response.end();
    };
    const { headers } = await get();
    for (const name of ['strict-transport-security', 'clear-site-data', 'public-key-pins', 'alt-svc'])
      expect(headers[name]).toBeUndefined();
    expect(headers['x-kept']).toBe('1');
  });

  it('gets nothing that was meant for one connection', async () => {
    answer = (_, response) => {
      response.writeHead(200, {
        connection: 'keep-alive, x-hop',
        'x-hop': '1',
        'proxy-authenticate': 'Basic',
      });
      response.end();
    };
    const { headers } = await get();
    expect(headers['x-hop']).toBeUndefined();
    expect(headers['proxy-authenticate']).toBeUndefined();
  });

  it('gets a redirect to the device’s own address as one to the tunnel host', async () => {
    answer = (_, response) => {
      response.writeHead(302, { location: `http://127.0.0.1:${upstream.port}/landed?a=1` }).end();
    };
    expect((await get()).headers.location).toBe(`${device.origin}/landed?a=1`);
  });

  it.each([
    ['5; url=http://127.0.0.1/landed?a=1', '5; url={origin}/landed?a=1'],
    ['0;URL="http://192.168.0.10/x" ', '0;URL="{origin}/x"'],
    ["3.5 , url = '//localhost:8080/x'", "3.5 , url = '{origin}/x'"],
    ['1;http://wirenboard.local/x', '1;{origin}/x'],
    ['5', '5'],
    ['5; url=/landed', '5; url=/landed'],
    ['5; url=https://wirenboard.com/docs', '5; url=https://wirenboard.com/docs'],
    ['soon; url=http://127.0.0.1/x', 'soon; url=http://127.0.0.1/x'],
  ])('a browser gets Refresh: %s as %s', async (refresh, expected) => {
    answer = (_, response) => response.writeHead(200, { refresh }).end();
    expect((await get()).headers.refresh).toBe(expected.replace('{origin}', device.origin));
  });
});

describe('a redirect', () => {
  const origin = 'https://a1.http.example.com';
  it.each([
    ['/path?x#y', '/path?x#y'],
    ['path', 'path'],
    ['', ''],
    ['?q=1', '?q=1'],
    ['http://127.0.0.1/x', `${origin}/x`],
    ['http://localhost:8080/', `${origin}/`],
    ['https://[::1]:8443/x', `${origin}/x`],
    ['http://[fe80::1]/x', `${origin}/x`],
    ['http://192.168.0.10/login?next=%2F', `${origin}/login?next=%2F`],
    ['http://10.1.2.3/', `${origin}/`],
    ['http://172.16.0.1/', `${origin}/`],
    ['http://172.32.0.1/', 'http://172.32.0.1/'],
    ['http://wirenboard-a1.local/x', `${origin}/x`],
    ['http://wirenboard/x', `${origin}/x`],
    ['http://a1.http.example.com/x', `${origin}/x`],
    ['https://a1.http.example.com:8443/x', `${origin}/x`],
    ['//192.168.0.10/x', `${origin}/x`],
    ['//evil.example/x', '//evil.example/x'],
    ['https://wirenboard.com/docs', 'https://wirenboard.com/docs'],
    ['https://cloud.example.com/x', 'https://cloud.example.com/x'],
    ['https://127.0.0.1.evil.example/', 'https://127.0.0.1.evil.example/'],
    ['http://192.168.0.10//evil.example', `${origin}//evil.example`],
    ['http://[', 'http://['],
    ['javascript:alert(1)', 'javascript:alert(1)'],
  ])('a redirect to %j becomes %j', (given, expected) => {
    expect(rewriteLocation(given, { origin })).toBe(expected);
  });

  it('a redirect to a host longer than any is not looked into, which would take square time', () => {
    const canParse = vi.spyOn(URL, 'canParse');
    onTestFinished(() => canParse.mockRestore());
    const marks = '%CC%80%CC%A3'.repeat(5_000);
    for (const location of [
      `http://a${marks}/`,
      `//a${marks}`,
      `https:////a${marks}?x`,
      `http://a@${marks}`,
    ]) {
      expect(rewriteLocation(location, { origin })).toBe(location);
    }
    expect(canParse).not.toHaveBeenCalled();
  });

  it('a redirect to another port leads to the endpoint that is named on it', () => {
    const linkToEndpoint = (port: number, path: string) => (port === 8080 ? `endpoint:${path}` : undefined);
    const targets = { origin, linkToEndpoint };
    expect(rewriteLocation('http://192.168.0.10:8080/x?a=1', targets)).toBe('endpoint:/x?a=1');
    expect(rewriteLocation('https://a1.http.example.com:8080/', targets)).toBe('endpoint:/');
    expect(rewriteLocation('http://192.168.0.10:9090/x', targets)).toBe(`${origin}/x`);
    expect(rewriteLocation('https://evil.example:8080/x', targets)).toBe('https://evil.example:8080/x');
  });
});
