import { HttpClient } from '@pult/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startLightSite } from './light-server.ts';
import { claim, openWebInterface, type Site } from './site.ts';
import { startTerminal, TerminalClient } from './terminal-client.ts';

let site: Site;

beforeAll(async () => {
  site = await startLightSite();
  await claim(site);
}, 120_000);
afterAll(() => site?.[Symbol.asyncDispose]());

test('nothing that is open keeps a server from stopping, and all of it ends', async () => {
  const waitingTerminal = await TerminalClient.open(site); // nobody has logged in to it
  const shell = await startTerminal(site);
  await shell.nextMessage();

  const browser = await openWebInterface(site);
  const download = await browser.request(`${site.tunnelUrl}/download/2000000000`);
  const socket = await browser.openWebSocket(`${site.tunnelUrl}/ws`, { headers: { origin: site.tunnelUrl } });
  const socketClosed = new Promise((resolve) => socket.once('close', resolve));

  const [organization] = await site.api.call('listOrganizations');
  const events = await new HttpClient().request(
    `${site.server.url}/api/v1/events/?organization_id=${organization?.id}`,
    { headers: { authorization: `Bearer ${site.api.access}` } },
  );
  expect(events.status).toBe(200);
  const eventsEnded = events.text().catch(() => {});

  expect(await site.server.halt()).toEqual({ code: 0, signal: null });
  await Promise.all([waitingTerminal.closed, shell.closed, socketClosed, eventsEnded]);
  await expect(download.hash()).rejects.toThrow();
}, 60_000);
