import { poll, whenClosed } from '@pult/testkit';
import { createTestDevice, dialAsDevice, enrolTestDevice, linkTestDevice } from '@pult/testkit/in-process';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createLinkFixture, type LinkFixture, readRefusal } from './link.fixture.ts';

let fixture: LinkFixture;
beforeAll(async () => {
  fixture = await createLinkFixture();
  const { device, token } = await fixture.enrol('HONEST-1');
  await fixture.claim(token);
  await linkTestDevice(fixture.server, device);
  await waitForStatus('HONEST-1', 'online');
});
afterAll(() => fixture.server.close());

async function waitForStatus(serialNumber: string, wanted: string) {
  const isSo = async () =>
    ((await fixture.getController(serialNumber)) as { status: string }).status === wanted;
  await poll(isSo, { what: `${serialNumber} is ${wanted}` });
}

it.each(['upgrade', 'websocket'] as const)(
  'a device that closes its half of the link, over %s, is offline, and no other',
  async (transport) => {
    const serialNumber = `HALF-${transport.toUpperCase()}`;
    const { device, token } = await fixture.enrol(serialNumber);
    await fixture.claim(token);
    const connection = await dialAsDevice(fixture.server, device, { transport });
    connection.on('error', () => {}).resume();
    await waitForStatus(serialNumber, 'online');
    connection.end();
    await whenClosed(connection);
    await waitForStatus(serialNumber, 'offline');
    await waitForStatus('HONEST-1', 'online');
  },
);

it('a device that asks for its link before it has enrolled is refused, and is let in afterwards', async () => {
  const device = createTestDevice('EARLY-1');
  expect(await readRefusal(dialAsDevice(fixture.server, device))).toMatchObject({ status: 401 });
  await enrolTestDevice(fixture.server, device);
  const { link } = await linkTestDevice(fixture.server, device);
  await link.close();
});
