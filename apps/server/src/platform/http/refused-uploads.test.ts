import { once } from 'node:events';
import { connect } from 'node:net';
import { listen } from '@pult/testkit/in-test';
import { expect, it, onTestFinished } from 'vitest';
import { createHostServer } from './host-server.ts';

it('a client that goes on with an upload after its answer is cut', async () => {
  const { server } = createHostServer(() => {}, {
    hosts: [{ find: () => ({ request: (_, response) => void response.end('no'), upgrade() {} }) }],
    upgrades: [],
    bodyTimeoutMs: 100,
  });
  const client = connect(await listen(server), '127.0.0.1');
  onTestFinished(() => void client.destroy());
  // The cut may show as a reset.
  client.on('error', () => {});
  const closed = new Promise((resolve) => client.once('close', resolve));
  client.write('POST / HTTP/1.1\r\nhost: device.test\r\ncontent-length: 1000000\r\n\r\n');
  const [answer] = await once(client, 'data');
  expect(String(answer)).toContain('200 OK');
  const trickle = setInterval(() => client.write('x'), 10);
  onTestFinished(() => clearInterval(trickle));
  await closed;
});
