import { type FrpClient, type MqttBroker, startMqttBroker, type WirenBoardDevice } from '@pult/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createWirenBoardFixture, type WirenBoardFixture } from '../wiren-board.fixture.ts';

let fixture: WirenBoardFixture;
let broker: MqttBroker;
let device: WirenBoardDevice;
let tunnel: FrpClient;
beforeAll(async () => {
  [fixture, broker] = await Promise.all([createWirenBoardFixture({ isTls: false }), startMqttBroker()]);
  device = await fixture.addDevice('DAILY1');
});
afterAll(async () => {
  await fixture.close();
  await broker.stop();
});

async function tell(value: string, type: string): Promise<void> {
  await broker.publish('/devices/wb-gpio/controls/Mode', value, { retain: true });
  await broker.publish('/devices/wb-gpio/controls/Mode/meta/type', type, { retain: true });
}

/** The tunnel of a line that was cut: its broker is read at once. */
async function comeBack(): Promise<void> {
  tunnel?.yamux.socket.destroy();
  await tunnel?.closed;
  tunnel = await device.openTunnel({ 1883: broker.port });
}

/** What is stored: whoever asks the API looks at the values, and is told everything. */
const expectStored = (stored: { value: string; type: string }) =>
  expect
    .poll(() => fixture.server.db.selectFrom('mqtt_controls').select(['value', 'type']).executeTakeFirst(), {
      timeout: 20_000,
    })
    .toEqual(stored);

it('titles and types are read once a day while nobody looks, however often the tunnel is cut, and again for another claim', async () => {
  await tell('1', 'switch');
  await comeBack();
  await expectStored({ value: '1', type: 'switch' });
  await tell('2', 'value');
  await comeBack();
  await expectStored({ value: '2', type: 'switch' });

  await fixture.remove('DAILY1');
  await device.poll();
  await fixture.claim(device.activationLink ?? '');
  await device.poll();
  await comeBack();
  await expectStored({ value: '2', type: 'value' });

  await tell('3', 'text');
  fixture.server.clock.advance(24 * 3600_000);
  await comeBack();
  await expectStored({ value: '3', type: 'text' });
});
