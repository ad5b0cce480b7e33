import type { RequestListener, ServerResponse } from 'node:http';
import type { HttpClient } from '@pult/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type ClaimedDevice,
  createTunnelFixture,
  startUpstream,
  type TunnelFixture,
  type WebUpstream,
} from '../tunnel.fixture.ts';

/** Answers of the device by path; a test sets its own. */
const answers = new Map<string, RequestListener>();
const on = (path: string, listener: RequestListener) => answers.set(path, listener);

let fixture: TunnelFixture;
let upstream: WebUpstream;
let device: ClaimedDevice;
let browser: HttpClient;

beforeAll(async () => {
  upstream = await startUpstream((incoming, response) => {
    const listener = answers.get(incoming.url?.split('?')[0] ?? '');
    if (listener) listener(incoming, response);
    else response.writeHead(404).end('no such page');
  });
  fixture = await createTunnelFixture({ timing: { tunnelAnswerMs: 20_000 } });
  device = await fixture.addDevice('POOL-1', { endpoints: { http: upstream.port } });
  browser = await fixture.openBrowser(device);
});
afterAll(async () => {
  await fixture.close();
  upstream.close();
});

const get = (path: string, options = {}) => browser.request(device.origin + path, options);

describe('the pool of connections', () => {
  it('uses a connection again', async () => {
    on('/pooled', (_, response) => response.end('ok'));
    await (await get('/pooled')).text();
    const before = upstream.connections;
    for (let index = 0; index < 10; index += 1) await (await get('/pooled')).text();
    expect(upstream.connections).toBe(before);
  });

  it('keeps a share for each user: requests of one that hang hold up no other', async () => {
    const hanging: ServerResponse[] = [];
    on('/hanging', (_, response) => void hanging.push(response));
    on('/prompt', (_, response) => response.end('ok'));
    const greedy = await fixture.openBrowser(device, await fixture.addUser('member'));
    const held = Array.from({ length: 90 }, () =>
      greedy.request(`${device.origin}/hanging`).then(({ body }) => body.resume()),
    );
    await expect.poll(() => hanging.length).toBeGreaterThan(30);
    await expect.poll(() => fixture.server.server.liveTunnels.size).toBe(90);
    const begun = performance.now();
    const answer = await get('/prompt');
    expect([answer.status, await answer.text()]).toEqual([200, 'ok']);
    expect(performance.now() - begun).toBeLessThan(2_000);
    on('/hanging', (_, response) => response.end());
    for (const response of hanging) response.end();
    await Promise.all(held);
    upstream.server.closeIdleConnections();
  });

  it('forgets a connection that the device has closed meanwhile', async () => {
    on('/pooled', (_, response) => response.end('ok'));
    await (await get('/pooled')).text();
    upstream.server.closeIdleConnections();
    await expect.poll(() => device.linked.connections.size).toBe(0);
    const posted = await get('/pooled', { method: 'POST', body: 'x' });
    expect([posted.status, await posted.text()]).toEqual([200, 'ok']);
  });

  it('repeats a GET, and never a POST, on a connection that dies as it is used', async () => {
    const seen: string[] = [];
    on('/warm', (_, response) => response.end('ok'));
    on('/dying', (incoming, response) => {
      seen.push(incoming.method ?? '');
      // The first time as an old connection dies: no byte of an answer.
      if (seen.filter((method) => method === incoming.method).length === 1) incoming.socket.destroy();
      else response.end('second try');
    });
    await (await get('/warm')).text();
    const repeated = await get('/dying');
    expect([repeated.status, await repeated.text()]).toEqual([200, 'second try']);
    await (await get('/warm')).text();
    const posted = await get('/dying', { method: 'POST', body: 'x' });
    expect(posted.status).toBe(502);
    await posted.text();
    expect(seen).toEqual(['GET', 'GET', 'POST']);
  });
});
