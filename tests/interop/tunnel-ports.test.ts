import {
  createByteSource,
  freePortRange,
  HttpClient,
  hashByteSource,
  poll,
  WebSocketMessages,
} from '@pult/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startLightSite } from './light-server.ts';
import { claim, logIn, openTunnel, type Site } from './site.ts';

/** An installation that is reached by its IP address: no settings but the range of ports. */

let site: Site;
beforeAll(async () => {
  const { from, to } = await freePortRange(3);
  site = await startLightSite({ serverHost: '127.0.0.1', serverEnv: { TUNNEL_PORTS: `${from}-${to}` } });
  await claim(site);
}, 120_000);
afterAll(() => site?.[Symbol.asyncDispose]());

/** Opens the web interface in a browser that is logged in to the console; where it is then. */
async function openIn(browser: HttpClient): Promise<string> {
  const { tunnelRedirectUrl } = await openTunnel(site, 'http');
  const answer = await browser.request(tunnelRedirectUrl);
  answer.body.resume();
  expect(answer.status).toBe(303);
  return new URL(tunnelRedirectUrl).origin;
}

test('a web interface has a port, which the server keeps over a restart, and never sees our cookies', async () => {
  const browser = await logIn(site);
  const origin = await openIn(browser);
  expect(new URL(origin).hostname).toBe('127.0.0.1');
  expect(browser.cookies.getNames('127.0.0.1')).toContain('pult_session');

  const seen = await browser.request(`${origin}/headers`);
  expect(JSON.stringify(await seen.json())).not.toContain('pult_');
  const bytes = 5_000_000;
  const upload = await browser.request(`${origin}/echo`, {
    method: 'POST',
    headers: { 'content-length': String(bytes), origin },
    body: createByteSource(bytes),
  });
  expect(await upload.json()).toEqual({ method: 'POST', bytes, sha256: hashByteSource(bytes) });
  const socket = await browser.openWebSocket(`${origin.replace('http', 'ws')}/ws`, { headers: { origin } });
  const messages = new WebSocketMessages(socket);
  socket.send('over a port');
  expect(String((await messages.next()).data)).toContain('over a port');

  await site.server.halt();
  await messages.closed;
  await expect(browser.request(`${origin}/headers`)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  await site.server.start();
  const isBack = async () => {
    const again = await browser.request(`${origin}/headers`);
    await again.text();
    return again.status === 200;
  };
  await poll(isBack, { what: 'the controller is reached on its old port' });
  expect(await openIn(new HttpClient())).toBe(origin);
}, 90_000);
