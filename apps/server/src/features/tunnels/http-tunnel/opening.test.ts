import { HttpClient } from '@pult/testkit';
import { createTestDevice } from '@pult/testkit/in-process';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { EndpointError } from '../../devices/index.ts';
import { addOpeningDevice, type HeldOpening } from '../opening.fixture.ts';
import { createTunnelFixture, type TunnelFixture } from '../tunnel.fixture.ts';

let fixture: TunnelFixture;
const openings: HeldOpening[] = [];
const device = createTestDevice('OPENING-1');

beforeAll(async () => {
  fixture = await createTunnelFixture();
  await addOpeningDevice(fixture, device, openings);
});
afterAll(() => fixture.close());

async function ask() {
  const { url } = await fixture.openTunnel(device, 'http');
  return new HttpClient().request(url, { followRedirects: true });
}

it('a request travels with the opening of its stream: the device has it before it has answered', async () => {
  const asked = ask();
  await expect.poll(() => openings[0]?.written).toMatch(/^GET \/ HTTP\/1\.1\r\n[\s\S]*\r\n\r\n$/);
  openings[0]?.answer('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello');
  const answer = await asked;
  expect([answer.status, await answer.text()]).toEqual([200, 'hello']);
});

it.each([
  ['service_refused', 502, 'connect ECONNREFUSED 127.0.0.1:80'],
  ['service_not_allowed', 403, ''],
  ['service_not_forwarded', 502, '-R pult-http:80:127.0.0.1:80'],
  ['service_timeout', 504, ''],
  ['service_tls_old', 502, 'unsupported protocol'],
  ['service_tls_failed', 502, 'wrong version number'],
  ['link_closed', 503, ''],
] as const)(
  'an opening that ends by %s after the request has gone is told by its own page',
  async (code, status, reason) => {
    for (const opening of openings.splice(0)) opening.destroy();
    const asked = ask();
    await expect.poll(() => openings[0]?.written).toContain('GET /');
    openings[0]?.destroy(new EndpointError(code, reason));
    const answer = await asked;
    expect(answer.status).toBe(status);
    expect(await answer.text()).toContain(reason);
  },
);
