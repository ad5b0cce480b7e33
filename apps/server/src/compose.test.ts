import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { terminalPath } from '@pult/contract';
import { createByteSource, HttpClient, hashByteSource } from '@pult/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import {
  type ClaimedDevice,
  createTunnelFixture,
  startUpstream,
  type TunnelFixture,
  type WebUpstream,
} from './features/tunnels/tunnel.fixture.ts';

let fixture: TunnelFixture;
let upstream: WebUpstream;
let device: ClaimedDevice;
let finishDownload: () => void;
const size = 3 * 1024 * 1024;

beforeEach(async () => {
  upstream = await startUpstream((incoming, response) => {
    if (incoming.url === '/events') {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: hello\n\n');
    } else if (incoming.url === '/endless') response.write('begun');
    else {
      response.writeHead(200, { 'content-length': size });
      response.flushHeaders();
      finishDownload = () => void createByteSource(size).pipe(response);
    }
  });
  fixture = await createTunnelFixture();
  device = await fixture.addDevice('STOP-1', { endpoints: { http: upstream.port } });
});
afterEach(async () => {
  await fixture.close();
  upstream.close();
});

describe('a stopping server', () => {
  it('finishes what is being downloaded, and refuses what is new', async () => {
    const browser = await fixture.openBrowser(device);
    const download = await browser.request(`${device.origin}/download`);
    const closed = fixture.server.server.close(20_000);
    const isRefused = () =>
      new HttpClient().request(`${fixture.server.publicUrl}/healthz`).then(
        () => false,
        () => true,
      );
    await expect.poll(isRefused).toBe(true);
    finishDownload();
    expect(await download.hash()).toEqual({ bytes: size, sha256: hashByteSource(size) });
    await closed;
  });

  it('ends by itself what would never end: events, WebSockets, terminals, waiting connections', async () => {
    const browser = await fixture.openBrowser(device);
    const tunnelEvents = await browser.request(`${device.origin}/events`);
    await once(tunnelEvents.body, 'data');
    const { port, publicUrl } = fixture.server;
    const api = { authorization: `Bearer ${fixture.owner.access}` };
    const asked = request({
      host: '127.0.0.1',
      port,
      path: `/api/v1/events/?organization_id=${fixture.organization}`,
      headers: { host: new URL(publicUrl).host, ...api },
    }).end();
    const [events] = await once(asked, 'response');
    const terminal = new WebSocket(`ws://127.0.0.1:${port}${terminalPath}`, { headers: api });
    await once(terminal, 'open');
    const idle = connect(port, '127.0.0.1');
    await once(idle, 'connect');
    const ends = [
      once(tunnelEvents.body.resume(), 'error'),
      once(events.resume(), 'close'),
      once(terminal, 'close'),
      once(
        idle.on('error', () => {}),
        'close',
      ),
    ];
    // Far below its grace: nothing of these is worth waiting for.
    const begun = performance.now();
    await fixture.server.server.close(25_000);
    expect(performance.now() - begun).toBeLessThan(20_000);
    await Promise.all(ends);
  });

  it('cuts what takes longer than its grace', async () => {
    const browser = await fixture.openBrowser(device);
    const endless = await browser.request(`${device.origin}/endless`);
    await once(endless.body, 'data');
    const cut = endless.text();
    cut.catch(() => {});
    await fixture.server.server.close(200);
    await expect(cut).rejects.toThrow();
  });
});

describe('a server named localhost', () => {
  it('listens once, and takes each upgrade once', async () => {
    const local = await createTunnelFixture({ environment: { HOST: 'localhost' } });
    try {
      const claimed = await local.addDevice('LOCAL-1', { endpoints: { http: upstream.port } });
      await expect.poll(() => claimed.linked.states.length).toBe(1);
      expect(local.server.server.links.listIds()).toHaveLength(1);
    } finally {
      await local.close();
    }
  });
});
