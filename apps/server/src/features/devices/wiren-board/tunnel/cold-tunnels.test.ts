import { HttpClient } from '@pult/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startUpstream, type WebUpstream } from '../../../tunnels/tunnel.fixture.ts';
import { createWirenBoardFixture, type WirenBoardFixture } from '../wiren-board.fixture.ts';

let fixture: WirenBoardFixture;
let web: WebUpstream;
beforeAll(async () => {
  web = await startUpstream(({ url }, response) => response.end(`page ${url}`));
  fixture = await createWirenBoardFixture({ isTls: false });
});
afterAll(async () => {
  await fixture.close();
  web.close();
});

/** A controller whose tunnel has carried nothing yet, and a browser that was let in and has asked for nothing. */
async function openCold(serialNumber: string) {
  const { server, owner } = fixture;
  const device = await fixture.addDevice(serialNumber);
  const tunnel = await device.openTunnel({ 80: web.port });
  const params = { serialNumber, protocol: 'http' };
  const open = () => server.call('openTunnel', { as: owner, params });
  await expect.poll(async () => (await open()).status).toBe(200);
  const { tunnelRedirectUrl } = (await open()).body as { tunnelRedirectUrl: string };
  const browser = new HttpClient();
  const answer = await browser.request(tunnelRedirectUrl);
  expect(answer.status).toBe(303);
  return { tunnel, browser, origin: new URL(tunnelRedirectUrl).origin };
}

it('10 fresh tunnels answer 24 requests at once, and stay', async () => {
  const numbers = Array.from({ length: 10 }, (_, index) => index);
  const controllers = await Promise.all(numbers.map((number) => openCold(`COLD${number}`)));
  const paths = Array.from({ length: 24 }, (_, index) => `/part/${index}`);
  const answers = await Promise.all(
    controllers.flatMap(({ browser, origin }) =>
      paths.map(async (path) => {
        const answer = await browser.request(`${origin}${path}`);
        return { status: answer.status, text: await answer.text() };
      }),
    ),
  );
  const pages = paths.map((path) => ({ status: 200, text: `page ${path}` }));
  expect(answers).toEqual(controllers.flatMap(() => pages));
  for (const { tunnel } of controllers) {
    expect(tunnel.heard.filter(({ type }) => type === 'r').length).toBeGreaterThan(1);
    expect(tunnel.yamux.socket.destroyed).toBe(false);
  }
}, 60_000);
