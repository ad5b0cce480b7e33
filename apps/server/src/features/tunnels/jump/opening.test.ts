import { once } from 'node:events';
import { createTestDevice } from '@pult/testkit/in-process';
import type { Client } from 'ssh2';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { EndpointError } from '../../devices/index.ts';
import { addOpeningDevice, type HeldOpening } from '../opening.fixture.ts';
import { createJumpFixture, type JumpFixture, openChannel } from './jump.fixture.ts';

let t: JumpFixture;
let client: Client;
const openings: HeldOpening[] = [];
const device = createTestDevice('OPENING-3');

beforeAll(async () => {
  t = await createJumpFixture();
  await addOpeningDevice(t.fixture, device, openings);
  client = await t.logIn();
});
afterAll(() => t[Symbol.asyncDispose]());
beforeEach(() => void openings.splice(0));

const nextOpening = async () => {
  await expect.poll(() => openings).toHaveLength(1);
  const [opening] = openings.splice(0);
  if (!opening) throw new Error('none');
  return opening;
};

/** A channel whose device accepts. */
async function openAccepted() {
  const opened = openChannel(client, device.serialNumber);
  (await nextOpening()).answer('hello');
  return opened;
}

it('a channel to a device whose SSH server has not accepted yet is refused with the reason', async () => {
  const refused = openChannel(client, device.serialNumber);
  (await nextOpening()).destroy(new EndpointError('service_refused', 'connect ECONNREFUSED'));
  await expect(refused).rejects.toThrow('connect ECONNREFUSED');
});

it('the first words of a client travel with the opening once the device has accepted over this link', async () => {
  const first = await openAccepted();
  const second = await openChannel(client, device.serialNumber);
  second.write('SSH-2.0-client');
  const opening = await nextOpening();
  await expect.poll(() => opening.written).toBe('SSH-2.0-client');
  expect(opening.connecting).toBe(true);
  opening.answer('SSH-2.0-device');
  expect(String((await once(second, 'data'))[0])).toBe('SSH-2.0-device');
  for (const channel of [first, second]) channel.destroy();
});

it('a refusal behind the first words is a line to the client, and the next channel is refused with the reason', async () => {
  const first = await openAccepted();
  const second = await openChannel(client, device.serialNumber);
  const said = once(second, 'data');
  const closed = once(second, 'close');
  (await nextOpening()).destroy(new EndpointError('service_refused', 'connect ECONNREFUSED'));
  expect(String((await said)[0])).toMatch(/did not accept the connection: connect ECONNREFUSED\r\n$/);
  second.resume();
  await closed;
  const third = openChannel(client, device.serialNumber);
  (await nextOpening()).destroy(new EndpointError('service_refused', 'connect ECONNREFUSED'));
  await expect(third).rejects.toThrow('connect ECONNREFUSED');
  first.destroy();
});
