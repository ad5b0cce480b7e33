import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { freePort, type NatsServer, startNatsServer } from '@pult/testkit';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../platform/clock.ts';
import { createNatsBus } from '../../../platform/cluster/bus/nats-bus.ts';
import { createNodeLink } from '../../../platform/cluster/link/node-link.ts';
import { createLog } from '../../../platform/log.ts';
import { archiveSubjectOf } from './device-messages.ts';
import { createSentArchives, type SentArchive } from './sent-archives.ts';

const log = createLog('silent');
const key = randomBytes(32);
let nats: NatsServer;
beforeAll(async () => {
  nats = await startNatsServer();
});
afterAll(() => nats.stop());

async function startNode(id: string) {
  const port = await freePort();
  const self = { id, address: `127.0.0.1:${port}` };
  const settings = { urls: [nats.url] };
  const bus = createNatsBus({ settings, key, getNodeId: () => id, clock: systemClock, log });
  const link = await createNodeLink({ material: key, nodeId: id, log });
  const archives = createSentArchives({ bus, link, getSelf: () => self }, systemClock);
  await link.listen('127.0.0.1', port);
  bus.start();
  await expect.poll(() => bus.isConnected).toBe(true);
  onTestFinished(async () => {
    await bus.stop();
    await link.close();
  });
  return { archives, bus, link };
}

/** Takes what comes for that device at a node, as its bytes. */
async function expectAt({ archives }: Awaited<ReturnType<typeof startNode>>, device: string) {
  const taken: ({ bytes: Buffer; contentType: string } | undefined)[] = [];
  const stop = archives.expect(device, async (sent) => {
    taken.push(sent && { bytes: await buffer(sent.body), contentType: sent.contentType });
  });
  await archives.settle();
  return { taken, stop };
}

const archiveOf = (bytes: Buffer) => ({
  body: Readable.from([bytes]),
  contentType: 'multipart/form-data; boundary="a b"',
});

test('an archive that a device sends comes to the node that waits for it, whichever one it was sent to', async () => {
  const [waits, other, third] = [
    await startNode('waits'),
    await startNode('other'),
    await startNode('third'),
  ];
  const { taken } = await expectAt(waits, 'one');
  const foreign = await expectAt(third, 'two');
  const bytes = randomBytes(3_000_000);
  const sent = archiveOf(bytes);
  await other.archives.pass('one', sent);
  expect(taken).toHaveLength(1);
  expect(taken[0]?.contentType).toBe(sent.contentType);
  expect(taken[0]?.bytes.equals(bytes)).toBe(true);
  await third.archives.pass('one', undefined);
  expect(taken[1]).toBeUndefined();
  expect(taken).toHaveLength(2);
  expect(foreign.taken).toEqual([]);
});

test('an archive that a device sends is taken and dropped where no node waits for it any more', async () => {
  const [waits, other] = [await startNode('waits'), await startNode('other')];
  const { taken, stop } = await expectAt(waits, 'one');
  stop();
  await waits.bus.flush();
  const sent: SentArchive = archiveOf(Buffer.from('late'));
  await other.archives.pass('one', sent);
  if (!sent.body.readableEnded) await once(sent.body, 'end');
  expect(taken).toEqual([]);
});

test('an archive that a device sends is taken of the node that has asked, and no other', async () => {
  const [waits, other, third] = [
    await startNode('waits'),
    await startNode('other'),
    await startNode('third'),
  ];
  const { taken } = await expectAt(waits, 'one');
  const answer = (await other.bus.request(archiveSubjectOf('one'), {})) as Record<string, string>;
  const { node = '', address = '', ticket = '' } = answer;
  const options = { priority: 1, answerTimeoutMs: 2_000 } as const;
  const stream = third.link.open({ id: node, address }, `ARCHIVE ${ticket}`, options);
  await expect(once(stream, 'connect')).rejects.toMatchObject({ code: 'gone' });
  expect(taken).toEqual([]);
});
