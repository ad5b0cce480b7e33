import { setTimeout as delay } from 'node:timers/promises';
import { poll, ResourceStack } from '@pult/testkit';
import { expect, test } from 'vitest';
import { startNodes } from '../../interop/installation-of-nodes.ts';
import { startMessageReceiver } from './message-receiver.ts';

test('a job that a paused node had taken is done by another, and what the paused one makes of it afterwards undoes nothing', async () => {
  await using stack = new ResourceStack();
  let requests = 0;
  const receiver = await startMessageReceiver(stack, (response) => {
    requests += 1;
    // The first one waits for its answer for as long as its sender likes.
    if (requests > 1) response.end();
  });
  const installation = stack.use(
    await startNodes(2, { env: async () => ({ ALERT_WEBHOOK_PRIVATE: 'true' }) }),
  );
  const { api } = installation.node(0);
  const [organization] = await api.call('listOrganizations');
  const organizationId = organization?.id ?? '';
  await api.call('createWebhook', {
    params: { organizationId },
    body: { name: 'Late', url: receiver.url, events: ['group.created'] },
  });
  const findTaker = async () => {
    const text = `select split_part(locked_by, '.', 1) as id from graphile_worker.jobs
      where locked_by is not null and task_identifier like 'deliver-%'`;
    return (await installation.query(text))[0]?.id;
  };
  const ids = await Promise.all(installation.nodes.map((node) => node.getId()));
  await api.call('createGroup', { body: { organization: organizationId, name: 'Group' } });
  await poll(() => requests === 1, { what: 'the message is on its way' });
  const taker = await findTaker();
  expect(ids).toContain(taker);
  const paused = installation.node(ids.indexOf(String(taker)));
  const line = paused.process.nextLine;
  paused.process.signal('SIGSTOP');
  await installation.endLease(String(taker));

  const readDelivery = async () =>
    (
      await installation.query(
        'select status, attempts, last_error from deliveries where webhook_id is not null',
      )
    )[0];
  const sent = { status: 'sent', attempts: 2, last_error: null };
  await poll(async () => (await readDelivery())?.status === 'sent', {
    what: 'another node has sent it',
    timeoutMs: 120_000,
  });
  expect(await readDelivery()).toEqual(sent);
  paused.process.signal('SIGCONT');
  await paused.process.waitForLine(/not delivered/, { since: line });
  await paused.process.waitForLine(/this node is back under another id/, { since: line });
  // Its transaction comes behind its line.
  await delay(2_000);
  expect(await readDelivery()).toEqual(sent);
  expect(await findTaker()).toBeUndefined();
  expect([...receiver.received.values()]).toEqual([2]);
}, 240_000);
