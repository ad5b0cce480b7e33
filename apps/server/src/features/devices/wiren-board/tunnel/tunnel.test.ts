import { once } from 'node:events';
import { HttpClient } from '@pult/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startUpstream, type WebUpstream } from '../../../tunnels/tunnel.fixture.ts';
import { createWirenBoardFixture, type WirenBoardFixture } from '../wiren-board.fixture.ts';

let secure: WirenBoardFixture;
let proxied: WirenBoardFixture;
let web: WebUpstream;
beforeAll(async () => {
  web = await startUpstream(({ url }, response) => response.end(`page ${url}`));
  secure = await createWirenBoardFixture();
  proxied = await createWirenBoardFixture({ isTls: false });
});
afterAll(async () => {
  await secure.close();
  await proxied.close();
  web.close();
});

async function getStatus({ server, owner }: WirenBoardFixture, serialNumber: string): Promise<unknown> {
  const { body } = await server.call('getController', { as: owner, params: { serialNumber } });
  return (body as { status?: unknown }).status;
}

async function openPage(fixture: WirenBoardFixture, serialNumber: string): Promise<string> {
  const params = { serialNumber, protocol: 'http' };
  const { body } = await fixture.server.call('openTunnel', { as: fixture.owner, params });
  const { tunnelRedirectUrl: url } = body as { tunnelRedirectUrl: string };
  const answer = await new HttpClient().request(url, { followRedirects: true });
  return answer.text();
}

describe('a tunnel of a Wiren Board controller', () => {
  it('a controller whose frpc logs in over TLS is online, and its web interface is reached', async () => {
    const device = await secure.addDevice('ONLINE1');
    const tunnel = await device.openTunnel({ 80: web.port });
    await expect.poll(() => getStatus(secure, 'ONLINE1')).toBe('online');
    const enrolment = await secure.server.db
      .selectFrom('enrolments')
      .select('id')
      .where('serial_number', '=', 'ONLINE1')
      .executeTakeFirstOrThrow();
    const stream = secure.server.server.links.open(
      { enrolmentId: enrolment.id, serialNumber: 'ONLINE1' },
      'http',
    );
    stream.write('GET /over/tls HTTP/1.1\r\nhost: x\r\n\r\n');
    const [answer] = await once(stream, 'data');
    expect(String(answer)).toContain('page /over/tls');
    stream.destroy();
    tunnel.yamux.socket.destroy();
    await expect.poll(() => getStatus(secure, 'ONLINE1')).toBe('offline');
  });

  it('a browser is shown the web interface of a controller, also behind a proxy that ends TLS', async () => {
    const device = await proxied.addDevice('PAGE1');
    await device.openTunnel({ 80: web.port });
    await expect.poll(() => getStatus(proxied, 'PAGE1')).toBe('online');
    expect(await openPage(proxied, 'PAGE1')).toBe('page /');
  });

  it('a controller that is removed loses its tunnel at once, and its token is good no more', async () => {
    const device = await proxied.addDevice('GONE1');
    const tunnel = await device.openTunnel({ 80: web.port });
    await expect.poll(() => getStatus(proxied, 'GONE1')).toBe('online');
    await proxied.remove('GONE1');
    await tunnel.closed;
    const again = await device.openTunnel({});
    await again.closed;
    expect(again.heard).toMatchObject([{ type: '1', body: { error: 'authorization failed' } }]);
  });

  it('a proxy’s word counts by its key, in the form of nginx and of HAProxy', async () => {
    const device = await proxied.createDevice('VERDICT1');
    const { leaf } = device.certificate;
    const der = leaf.replace(/-----[A-Z ]+-----|\s/g, '');
    const ask = async (key: string, certificate: string) => {
      const headers = { 'x-ssl-client-verify': 'SUCCESS', 'x-ssl-client-cert': `${key}${certificate}` };
      return (await device.call('GET', 'agent-start-up/', { certificate: null, headers })).status;
    };
    const key = `${proxied.proxySecret} `;
    expect(await ask(key, encodeURIComponent(leaf))).toBe(200);
    expect(await ask(key, der)).toBe(200);
    for (const [word, text] of [
      ['', encodeURIComponent(leaf)],
      ['', der],
      [`${'0'.repeat(64)} `, der],
      [key, ''],
      [key, 'no certificate'],
      [key, '%'],
    ] as const) {
      expect(await ask(word, text)).toBe(401);
    }
  });

  it('an agent that asks without end is asked to wait', async () => {
    const device = await proxied.createDevice('HASTY1');
    const statuses = new Set<number>();
    for (let count = 0; count < 125; count++) statuses.add((await device.call('GET', 'nothing/')).status);
    expect([...statuses]).toEqual([404, 429]);
  });

  it('a second login of a controller takes the place of the first', async () => {
    const device = await proxied.addDevice('TWICE1');
    const first = await device.openTunnel({});
    await expect.poll(() => getStatus(proxied, 'TWICE1')).toBe('online');
    const second = await device.openTunnel({ 80: web.port });
    await first.closed;
    await expect.poll(() => openPage(proxied, 'TWICE1')).toBe('page /');
    second.yamux.socket.destroy();
  });

  it('a forged token, and that of another controller, open no tunnel', async () => {
    const [device, other] = [await proxied.addDevice('FORGED1'), await proxied.addDevice('OTHER1')];
    for (const token of ['forged', other.tunnelConfig?.token ?? '']) {
      const tunnel = await device.openTunnel({}, { token });
      await tunnel.closed;
      expect(tunnel.heard).toMatchObject([{ type: '1', body: { error: 'authorization failed' } }]);
    }
    expect(await getStatus(proxied, 'FORGED1')).toBe('never');
  });

  it('a controller whose tunnel is up is not told its configuration again', async () => {
    const device = await proxied.addDevice('SETTLED1');
    await device.openTunnel({});
    await expect.poll(() => getStatus(proxied, 'SETTLED1')).toBe('online');
    proxied.server.clock.advance(120_000);
    await device.poll();
    expect(device.confirmed).toEqual(['update_tunnel_config']);
  });

  it('diagnostics are asked of the agent, and what it sends is kept', async () => {
    const device = await proxied.addDevice('DIAG1');
    await device.openTunnel({});
    await expect.poll(() => getStatus(proxied, 'DIAG1')).toBe('online');
    const params = { serialNumber: 'DIAG1' };
    await proxied.server.call('requestDiagnostic', { as: proxied.owner, params });
    const list = async () =>
      (await proxied.server.call('listDiagnostics', { as: proxied.owner, params })).body;
    await expect.poll(list).toMatchObject([{ status: 'collecting' }]);
    await expect.poll(() => device.poll().then(() => device.confirmed)).toContain('fetch_diagnostics');
    const archive = Buffer.concat([Buffer.from('PK\u0003\u0004'), Buffer.alloc(300_000, 'some diagnostics')]);
    expect((await device.uploadDiagnostics(archive)).status).toBe(200);
    await expect.poll(list).toMatchObject([{ status: 'ready', size: archive.length }]);
    // Nobody waits for another one, which is taken all the same: the agent has deleted it.
    expect((await device.uploadDiagnostics(archive)).status).toBe(200);
  });

  it('controllers that have not sent their archives yet keep no other one from being asked', async () => {
    const asked = Array.from({ length: 10 }, async (_, index) => {
      const serialNumber = `LATER${index}`;
      const device = await proxied.addDevice(serialNumber);
      await device.openTunnel({});
      await expect.poll(() => getStatus(proxied, serialNumber)).toBe('online');
      await proxied.server.call('requestDiagnostic', { as: proxied.owner, params: { serialNumber } });
      return device;
    });
    for (const device of await Promise.all(asked)) {
      await expect.poll(() => device.poll().then(() => device.confirmed)).toContain('fetch_diagnostics');
    }
  });

  it('diagnostics that a controller cannot collect, or sends in part, fail', async () => {
    const device = await proxied.addDevice('DIAG2');
    await device.openTunnel({});
    await expect.poll(() => getStatus(proxied, 'DIAG2')).toBe('online');
    const params = { serialNumber: 'DIAG2' };
    const list = async () =>
      (await proxied.server.call('listDiagnostics', { as: proxied.owner, params })).body;
    const ask = async () => {
      const before = device.confirmed.length;
      await proxied.server.call('requestDiagnostic', { as: proxied.owner, params });
      await expect.poll(() => device.poll().then(() => device.confirmed.length)).toBe(before + 1);
    };
    await ask();
    await device.call('PUT', 'diagnostic-status/', { body: JSON.stringify({ status: 'error' }) });
    await expect.poll(list).toMatchObject([{ status: 'failed', reason: 'device_failed' }]);
    await ask();
    await device.uploadDiagnostics(Buffer.from('PK\u0003\u0004 begun'), '');
    await expect.poll(list).toMatchObject([{ status: 'failed', reason: 'truncated' }, { status: 'failed' }]);
  });

  it('a controller that leaves this server loses its tunnel', async () => {
    const device = await proxied.addDevice('LEAVES1');
    const tunnel = await device.openTunnel({});
    await expect.poll(() => getStatus(proxied, 'LEAVES1')).toBe('online');
    await device.call('DELETE', 'delete-controller/');
    await tunnel.closed;
    await expect.poll(() => getStatus(proxied, 'LEAVES1')).toBe('offline');
  });
});
