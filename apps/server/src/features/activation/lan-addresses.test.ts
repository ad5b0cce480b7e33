import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os';
import { createTestServer } from '@pult/testkit/in-process';
import { expect, it } from 'vitest';
import { listLanAddresses } from '../../platform/network.ts';

const at = (address: string, internal = false): NetworkInterfaceInfo => ({
  address,
  internal,
  family: 'IPv4',
  netmask: '255.255.255.0',
  mac: '00:00:00:00:00:00',
  cidr: `${address}/24`,
});

it('lists the addresses of networks with devices, not those inside the machine', () => {
  const found = listLanAddresses({
    lo: [at('127.0.0.1', true)],
    docker0: [at('172.17.0.1')],
    wlan0: [at('169.254.3.4'), at('192.168.1.5')],
    eth0: [{ ...at('10.0.0.7'), family: 'IPv6', scopeid: 0 } as NetworkInterfaceInfo, at('10.0.0.7')],
  });
  expect(found).toEqual(['192.168.1.5', '10.0.0.7']);
});

it.each([
  ['tells its addresses to users while it is reached as localhost', 'http://localhost:8080', true],
  ['keeps its addresses to itself once it has one', 'https://pult.example', false],
])('the server %s', async (_, publicUrl, isShared) => {
  await using server = await createTestServer({ environment: { PUBLIC_URL: publicUrl } });
  const { body } = await server.call('listLanAddresses', { as: await server.createUser() });
  expect(body).toEqual({ addresses: isShared ? listLanAddresses(networkInterfaces()) : [] });
  expect((await server.call('listLanAddresses', {})).status).toBe(401);
});
