import { generateKeyPairSync } from 'node:crypto';
import { freePort } from '@pult/testkit';
import ssh2 from 'ssh2';
import { expect, it } from 'vitest';
import { systemClock } from '../clock.ts';
import { createLog } from '../log.ts';
import { createSshListener } from './ssh-listener.ts';

it('parts with a client that has shaken hands and never logs in', async () => {
  const port = await freePort();
  const ssh = { jumpHost: '127.0.0.1', jumpPort: port, isJumpOptional: false, jumpAddress: { host: 'x' } };
  const listener = createSshListener(
    { clock: systemClock, log: createLog('silent') },
    {
      // Of the settings of HTTP the port reads this one alone.
      config: { ssh, http: { trustedProxies: [] } as never },
      hostKey: generateKeyPairSync('ed25519').privateKey,
      timing: { sshHandshakeMs: 60_000, sshLoginMs: 200 },
    },
  );
  await listener.listen?.();
  const client = new ssh2.Client();
  client.on('error', () => {});
  const closed = new Promise((resolve) => client.on('close', () => resolve('closed')));
  // It is never told which way to log in.
  client.connect({ host: '127.0.0.1', port, username: 'x', authHandler: () => {} });
  expect(await closed).toBe('closed');
  await listener.drain?.(0);
  await listener.stop?.();
});
