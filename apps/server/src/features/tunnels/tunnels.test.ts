import { HttpClient } from '@pult/testkit';
import { createTestDevice, createTestServer } from '@pult/testkit/in-process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addClaimed } from './claimed-controller.fixture.ts';
import { createInterfaceCookies } from './http-tunnel/tunnel-cookie.ts';
import {
  type ClaimedDevice,
  createTunnelFixture,
  startUpstream,
  type TunnelFixture,
  type WebUpstream,
} from './tunnel.fixture.ts';

let fixture: TunnelFixture;
let upstream: WebUpstream;
let device: ClaimedDevice;
let other: ClaimedDevice;

beforeAll(async () => {
  upstream = await startUpstream((_, response) => response.end('the device'));
  fixture = await createTunnelFixture();
  device = await fixture.addDevice('OPEN-1', { endpoints: { http: upstream.port } });
  other = await fixture.addDevice('OPEN-2', { endpoints: { http: upstream.port } });
});
afterAll(async () => {
  await fixture.close();
  upstream.close();
});

const open = (serialNumber: string, protocol: string, as = fixture.owner, body?: unknown) =>
  fixture.server.call('openTunnel', { as, params: { serialNumber, protocol }, body });

describe('opening a tunnel', () => {
  it('answers with its tunnel, where to go, and a key', async () => {
    const { status, body } = await open('OPEN-1', 'http');
    expect(status).toBe(200);
    const { tunnel, tunnelRedirectUrl, tunnelKey } = body as {
      tunnel: { protocol: string; createdAt: string; expiresAt: string };
      tunnelRedirectUrl: string;
      tunnelKey: string;
    };
    expect(tunnel.protocol).toBe('http');
    expect(Date.parse(tunnel.expiresAt) - Date.parse(tunnel.createdAt)).toBe(12 * 3600 * 1000);
    expect(tunnelRedirectUrl.startsWith(`${device.origin}/.pult/open?`)).toBe(true);
    expect(new URL(tunnelRedirectUrl).searchParams.get('ticket')).toBe(tunnelKey);
    expect(tunnelKey.length).toBeGreaterThanOrEqual(43);

    const ssh = await open('OPEN-1', 'ssh');
    expect(ssh.body).toMatchObject({ tunnelRedirectUrl: `${fixture.server.publicUrl}/connect/ssh/OPEN-1/` });
  });

  it('ends with the session when that is sooner', async () => {
    await fixture.server.db
      .updateTable('sessions')
      .set({ expires_at: new Date(fixture.server.clock.now().getTime() + 60_000) })
      .where('user_id', '=', fixture.owner.id)
      .execute();
    const { body } = await open('OPEN-1', 'http');
    await fixture.server.db
      .updateTable('sessions')
      .set({ expires_at: new Date(fixture.server.clock.now().getTime() + 90 * 24 * 3600_000) })
      .where('user_id', '=', fixture.owner.id)
      .execute();
    const { tunnel } = body as { tunnel: { expiresAt: string; createdAt: string } };
    expect(Date.parse(tunnel.expiresAt) - Date.parse(tunnel.createdAt)).toBe(60_000);
  });

  it('refuses a viewer with 403, another organization with 404, nobody with 401', async () => {
    const viewer = await fixture.addUser('viewer');
    expect(await open('OPEN-1', 'http', viewer)).toMatchObject({
      status: 403,
      body: { code: 'role_forbidden' },
    });
    const stranger = await fixture.server.createUser();
    await fixture.server.createOrganization(stranger);
    expect(await open('OPEN-1', 'http', stranger)).toMatchObject({
      status: 404,
      body: { code: 'controller_not_found' },
    });
    const params = { serialNumber: 'OPEN-1', protocol: 'http' };
    expect((await fixture.server.call('openTunnel', { params })).status).toBe(401);
  });

  it('refuses a controller that is offline with 409', async () => {
    const gone = await fixture.addDevice('OPEN-3');
    gone.linked.link.close();
    await gone.linked.link.closed;
    await expect
      .poll(() => open('OPEN-3', 'http'))
      .toMatchObject({ status: 409, body: { code: 'controller_offline' } });
  });

  it.each(['ftp', 'HTTP', '../x', 'port-22', '8080', 'http ', '__proto__'])(
    'refuses the protocol %s with 400',
    async (protocol) => {
      expect(await open('OPEN-1', protocol)).toMatchObject({
        status: 400,
        body: { code: 'protocol_unsupported' },
      });
    },
  );

  it.each(['http://192.168.1.10:8080', 'http://[::1]:8080', 'http://controllers:8080'])(
    'says what to configure where %s can have no subdomains',
    async (publicUrl) => {
      const server = await createTestServer({
        environment: { PUBLIC_URL: publicUrl, TUNNEL_MODE: 'subdomain' },
      });
      try {
        const user = await server.createUser();
        const organization = await server.createOrganization(user);
        await addClaimed(server, user, organization, createTestDevice('LAN-1'));
        const params = { serialNumber: 'LAN-1', protocol: 'http' };
        expect(await server.call('openTunnel', { as: user, params })).toMatchObject({
          status: 409,
          body: { code: 'tunnel_host_unavailable', detail: expect.stringContaining('TUNNEL_DOMAIN') },
        });
      } finally {
        await server.close();
      }
    },
  );

  it.each([
    ['//evil.example/x', 400],
    ['https://evil.example/', 400],
    ['/\\evil.example', 400],
    ['relative', 400],
    ['/a b', 400],
    ['/a\nb', 400],
    ['/%2e%2e/%2f%2fevil', 200],
    ['/deep/link?tab=1#top', 200],
  ])('takes %j as the path to come back to with %i', async (path, status) => {
    expect((await open('OPEN-1', 'http', fixture.owner, { path })).status).toBe(status);
  });
});

describe('a ticket', () => {
  const redeem = async (url: string) => {
    const answer = await new HttpClient().request(url);
    answer.body.resume();
    return answer;
  };

  it('a ticket is swapped once for a cookie of that host alone', async () => {
    const { url } = await fixture.openTunnel(device, 'http');
    const answer = await redeem(url);
    expect(answer.status).toBe(303);
    expect(answer.headers.location).toBe('/');
    const [cookie = ''] = answer.headers['set-cookie'] ?? [];
    expect(cookie).toMatch(/^pult_tunnel=[^;]{43}; Path=\/; Expires=[^;]+ GMT; HttpOnly; SameSite=Strict$/);
    expect(answer.headers['referrer-policy']).toBe('no-referrer');
    const again = await redeem(url);
    expect(again.status).toBe(400);
    expect(again.headers['set-cookie']).toBeUndefined();
  });

  it('a ticket leads a browser on by a page of that host, so that the path is no other site’s', async () => {
    const { key } = await fixture.openTunnel(device, 'http');
    const query = new URLSearchParams({ ticket: key, path: '/deep?a="1"' });
    const answer = await new HttpClient().request(`${device.origin}/.pult/open?${query}`, {
      headers: { accept: 'text/html', 'accept-language': 'ru' },
    });
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      refresh: '0;url=/deep?a=%221%22',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    });
    expect(answer.headers['set-cookie']).toHaveLength(1);
    expect(await answer.text()).toContain('<a href="/deep?a=%221%22">Продолжить</a>');
  });

  it('a ticket is secure and host-bound by name where the site is https', async () => {
    const web = { serialNumber: 'OPEN-1', port: null };
    const { tunnel } = createInterfaceCookies(web, { isSecure: true, hasOwnHost: true });
    const cookie = tunnel.serialize('x', new Date(0));
    expect(cookie).toMatch(
      /^__Host-pult_tunnel=x; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Strict$/,
    );
  });

  it('a ticket is used by one of twenty at once', async () => {
    const { url } = await fixture.openTunnel(device, 'http');
    const answers = await Promise.all(Array.from({ length: 20 }, () => redeem(url)));
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(19);
  });

  it('a ticket is dead after a minute', async () => {
    const { url } = await fixture.openTunnel(device, 'http');
    fixture.server.clock.advance(60_000);
    expect((await redeem(url)).status).toBe(400);
  });

  it('a ticket of one controller opens no other', async () => {
    const { url } = await fixture.openTunnel(device, 'http');
    const answer = await redeem(url.replace('open-1.', 'open-2.'));
    expect(answer.status).toBe(400);
    expect(answer.headers['set-cookie']).toBeUndefined();
  });

  it('a ticket for ssh opens no web interface', async () => {
    const ssh = await fixture.openTunnel(device, 'ssh');
    const answer = await redeem(`${device.origin}/.pult/open?ticket=${ssh.key}&path=/`);
    expect(answer.status).toBe(400);
  });

  it.each([
    ['/deep/link?tab=1#top', '/deep/link?tab=1#top'],
    ['/кириллица', '/%D0%BA%D0%B8%D1%80%D0%B8%D0%BB%D0%BB%D0%B8%D1%86%D0%B0'],
    ['//evil.example', '/'],
    ['/\\evil.example', '/'],
    ['/\t/evil.example', '/'],
    ['/./\t/evil.example', '/'],
    ['/x/..//evil.example', '/'],
    ['https://evil.example/', '/'],
    ['/a\r\nSet-Cookie: x=y', '/aSet-Cookie:%20x=y'],
    ['', '/'],
  ])('a ticket with the path %j leads to %j', async (path, location) => {
    const { key } = await fixture.openTunnel(device, 'http');
    const query = new URLSearchParams({ ticket: key, path });
    const answer = await redeem(`${device.origin}/.pult/open?${query}`);
    expect(answer).toMatchObject({ status: 303, headers: { location } });
    expect(answer.headers['set-cookie']).toHaveLength(1);
  });

  it.each(['', 'x', 'a'.repeat(5000), '%00', '../..'])(
    'a ticket that is none (%s) is refused',
    async (ticket) => {
      expect((await redeem(`${device.origin}/.pult/open?ticket=${ticket}`)).status).toBe(400);
    },
  );
});

describe('a tunnel’s cookie', () => {
  it('opens its controller, and no other', async () => {
    const browser = await fixture.openBrowser(device);
    const answer = await browser.request(`${device.origin}/`);
    expect(await answer.text()).toBe('the device');

    const cookie = browser.cookies.getHeader(device.hostname) ?? '';
    const foreign = await new HttpClient().request(`${other.origin}/`, { headers: { cookie } });
    expect(foreign.status).toBe(401);
    // Also once the server remembers it.
    await (await browser.request(`${device.origin}/`)).text();
    const again = await new HttpClient().request(`${other.origin}/`, { headers: { cookie } });
    expect(again.status).toBe(401);
  });
});
