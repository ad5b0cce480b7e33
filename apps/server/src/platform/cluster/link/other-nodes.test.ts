import { randomBytes } from 'node:crypto';
import { freePort, startNatsServer } from '@pult/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../clock.ts';
import { Events } from '../../events/events.ts';
import { createLog } from '../../log.ts';
import { createOtherNodes } from './other-nodes.ts';

const log = createLog('silent');

async function create({ natsPort, hasLease = () => true }: { natsPort: number; hasLease?: () => boolean }) {
  const port = await freePort();
  const nodes = await createOtherNodes(
    { clock: systemClock, events: new Events(log), log },
    {
      node: {
        id: 'this',
        get hasLease() {
          return hasLease();
        },
        keys: { messages: randomBytes(32), authority: randomBytes(32) },
        onLost: () => {},
      },
      settings: { natsUrls: [`nats://127.0.0.1:${natsPort}`], address: { host: '127.0.0.1', port }, port },
    },
  );
  onTestFinished(async () => void (await nodes.stop?.()));
  await nodes.start?.();
  return nodes;
}

test('a node that has not reached the others yet counts as cut off from the first moment on', async () => {
  const nodes = await create({ natsPort: await freePort() });
  expect(nodes.isCutOff).toBe(true);
});

test('a node without a lease counts as cut off, whoever it hears', async () => {
  const nats = await startNatsServer();
  onTestFinished(() => nats.stop());
  let hasLease = true;
  const nodes = await create({ natsPort: nats.port, hasLease: () => hasLease });
  await expect.poll(() => nodes.isCutOff).toBe(false);
  hasLease = false;
  expect(nodes.isCutOff).toBe(true);
});
