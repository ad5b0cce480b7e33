import { freePort, freePortRange, HttpClient, WebSocketMessages } from '@pult/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { WebSocketServer } from 'ws';
import {
  type ClaimedDevice,
  createTunnelFixture,
  startUpstream,
  type TunnelFixture,
  type WebUpstream,
} from '../../tunnel.fixture.ts';

/** Tunnels of a server that is reached by an IP address, where all ports share one jar of cookies. */

let fixture: TunnelFixture;
let range: { from: number; to: number };
let one: ClaimedDevice;
let two: ClaimedDevice;
const upstreams: WebUpstream[] = [];
/** What the devices were sent. */
const seen: string[] = [];

async function startDevice(name: string): Promise<ClaimedDevice> {
  const upstream = await startUpstream(({ url, headers }, response) => {
    seen.push(`${name} ${headers.cookie ?? '-'}`);
    if (url === '/login') {
      response.setHeader('set-cookie', [
        `session=${name}; Path=/`,
        'csrftoken=t; Path=/',
        'pult_session=stolen; Path=/',
      ]);
    }
    if (url === '/self') response.setHeader('location', `http://192.168.1.7/back`).writeHead(302);
    response.end(name);
  });
  const sockets = new WebSocketServer({ server: upstream.server });
  sockets.on('connection', (socket) => socket.on('message', (data) => socket.send(`${name} ${data}`)));
  upstreams.push(upstream);
  return fixture.addDevice(name, { endpoints: { http: upstream.port } });
}

beforeAll(async () => {
  const port = await freePort();
  range = await freePortRange(3);
  const environment = {
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    TUNNEL_PORTS: `${range.from}-${range.to}`,
  };
  fixture = await createTunnelFixture({ environment, timing: { tunnelPortSweepMs: 50 } });
  one = await startDevice('PORT-1');
  two = await startDevice('PORT-2');
});
afterAll(async () => {
  await fixture.close();
  for (const upstream of upstreams) upstream.close();
});
beforeEach(() => {
  seen.length = 0;
});

/** Opens a tunnel in this browser; the origin where the device is then. */
async function openIn(browser: HttpClient, device: ClaimedDevice, as = fixture.owner): Promise<string> {
  const { url } = await fixture.openTunnel(device, 'http', as);
  const answer = await browser.request(url);
  expect(answer.status).toBe(303);
  answer.body.resume();
  return new URL(url).origin;
}
const read = async (browser: HttpClient, url: string, headers = {}) => {
  const answer = await browser.request(url, { headers });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
};
const html = { accept: 'text/html', 'accept-language': 'en' };

describe('a tunnel by port', () => {
  it('a tunnel by port is on a port of the range, on the host of the console', async () => {
    const browser = new HttpClient();
    const origin = await openIn(browser, one);
    const { protocol, hostname, port } = new URL(origin);
    expect([protocol, hostname]).toEqual(['http:', '127.0.0.1']);
    expect(Number(port)).toBeGreaterThanOrEqual(range.from);
    expect(Number(port)).toBeLessThanOrEqual(range.to);
    expect((await read(browser, `${origin}/`)).text).toBe('PORT-1');
    expect((await read(browser, `${origin}/self`)).headers.location).toBe(`${origin}/back`);
    expect(await openIn(new HttpClient(), one)).toBe(origin);
  });

  it('shows a device no cookie of the console, of a tunnel, or of another device', async () => {
    const browser = new HttpClient();
    browser.cookies.store('127.0.0.1', ['pult_session=console; Path=/', 'pult_browser=b; Path=/']);
    const [first, second] = [await openIn(browser, one), await openIn(browser, two)];
    await read(browser, `${first}/login`);
    await read(browser, `${second}/login`);
    seen.length = 0;
    await read(browser, `${first}/`);
    await read(browser, `${second}/`);
    expect(seen).toEqual(['PORT-1 session=PORT-1; csrftoken=t', 'PORT-2 csrftoken=t; session=PORT-2']);
    // And a device has set none of ours.
    expect(browser.cookies.getHeader('127.0.0.1')).toContain('pult_session=console');
  });

  it('hides a device’s cookies from the scripts of others', async () => {
    const browser = new HttpClient();
    const origin = await openIn(browser, one);
    const cookies = (await read(browser, `${origin}/login`)).headers['set-cookie'];
    expect(cookies).toEqual([
      expect.stringMatching(/^pult_d[0-9a-f]{12}_session=PORT-1; Path=\/; HttpOnly$/),
      'csrftoken=t; Path=/',
    ]);
  });

  it('a tunnel by port is not opened by the cookie of another one', async () => {
    const browser = new HttpClient();
    await openIn(browser, one);
    const second = await openIn(new HttpClient(), two);
    expect((await read(browser, `${second}/`)).status).toBe(401);
    const renamed = (browser.cookies.getHeader('127.0.0.1') ?? '').replace('PORT-1', 'PORT-2');
    expect((await read(new HttpClient(), `${second}/`, { cookie: renamed })).status).toBe(401);
    expect(seen).toEqual([]);
  });

  it('refuses what a page on another port has begun', async () => {
    const browser = new HttpClient();
    const [first, second] = [await openIn(browser, one), await openIn(browser, two)];
    expect((await read(browser, `${first}/relay`, { origin: second })).status).toBe(403);
    const sameSite = { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors' };
    expect((await read(browser, `${first}/relay`, sameSite)).status).toBe(403);
    const address = `${first.replace('http', 'ws')}/`;
    await expect(browser.openWebSocket(address, { headers: { origin: second } })).rejects.toMatchObject({
      status: 403,
    });
    expect(seen).toEqual([]);
  });

  it('carries a WebSocket, and cuts it with a logout', async () => {
    const user = await fixture.addUser('member');
    const browser = new HttpClient();
    const origin = await openIn(browser, one, user);
    const socket = await browser.openWebSocket(`${origin.replace('http', 'ws')}/`, { headers: { origin } });
    const messages = new WebSocketMessages(socket);
    socket.send('hello');
    expect(String((await messages.next()).data)).toBe('PORT-1 hello');
    await fixture.server.call('logout', {
      headers: { cookie: user.cookie, origin: fixture.server.publicUrl },
    });
    await messages.closed;
    expect((await read(browser, `${origin}/`)).status).toBe(401);
  });

  it('leads a page load without a cookie through the console', async () => {
    const origin = await openIn(new HttpClient(), one);
    expect(await read(new HttpClient(), `${origin}/deep?a=1`, html)).toMatchObject({
      status: 302,
      headers: { location: `${fixture.server.publicUrl}/connect/http/PORT-1/?path=%2Fdeep%3Fa%3D1` },
    });
  });

  it('says when all ports are in use; an idle one changes hands without its past', async () => {
    const browser = new HttpClient();
    await openIn(browser, one);
    const origin = await openIn(browser, two);
    const third = await startDevice('PORT-3');
    await openIn(browser, third);
    const fourth = await startDevice('PORT-4');
    const params = { serialNumber: 'PORT-4', protocol: 'http' };
    expect(await fixture.server.call('openTunnel', { as: fixture.owner, params })).toMatchObject({
      status: 409,
      body: { code: 'tunnel_ports_exhausted', detail: expect.stringContaining('TUNNEL_PORTS') },
    });

    // A page of this one is open; all others have long been closed.
    const socket = await browser.openWebSocket(`${origin.replace('http', 'ws')}/`, { headers: { origin } });
    fixture.server.clock.advance(20 * 60_000);
    await expect
      .poll(async () => {
        const rows = await fixture.server.db
          .selectFrom('tunnel_ports')
          .select('port')
          .where('used_at', '=', fixture.server.clock.now())
          .execute();
        return rows.map(({ port }) => String(port));
      })
      .toContain(new URL(origin).port);
    // By cookie: access tokens live for 15 minutes.
    const headers = { cookie: fixture.owner.cookie, origin: fixture.server.publicUrl };
    const answer = await fixture.server.call('openTunnel', {
      headers,
      params: { serialNumber: fourth.serialNumber, protocol: 'http' },
    });
    const { tunnelRedirectUrl: url = '' } = answer.body as Record<string, string>;
    const taken = new URL(url).origin;
    expect(taken).not.toBe(origin);
    const opened = await read(browser, url);
    expect(opened).toMatchObject({ status: 303, headers: { 'clear-site-data': '"cache", "storage"' } });
    expect((await read(browser, `${taken}/`)).text).toBe('PORT-4');
    // Whoever comes by an old address is told whose it is now, and goes on by hand.
    const stranger = await read(new HttpClient(), `${taken}/`, html);
    expect([stranger.status, stranger.headers.location]).toEqual([401, undefined]);
    expect(stranger.text).toContain('/connect/http/PORT-4/');
    expect((await read(browser, `${origin}/`)).text).toBe('PORT-2');
    socket.terminate();
  });
});
