import { poll, ResourceStack, repositoryPath, startSshServer, startWebServer } from '@pult/testkit';
import { expect, test } from 'vitest';
import { startNodes } from '../../interop/installation-of-nodes.ts';
import { addController, waitForStatus } from '../../interop/site.ts';
import { startMessageReceiver } from './message-receiver.ts';

test('an alert is told once, however many nodes evaluate', async () => {
  await using stack = new ResourceStack();
  const receiver = await startMessageReceiver(stack);
  const installation = stack.use(
    await startNodes(3, {
      env: async () => ({
        ALERT_WEBHOOK_PRIVATE: 'true',
        NODE_OPTIONS: `--import ${repositoryPath('tests/release/nodes/later-clock.mjs')}`,
      }),
    }),
  );
  const server = installation.node(0);
  const { api } = server;
  const [organization] = await api.call('listOrganizations');
  const params = { organizationId: organization?.id ?? '' };
  await api.call('createAlertRule', { params, body: { minutes: 1, webhookUrl: receiver.url } });
  const [web, ssh] = [stack.use(await startWebServer()), stack.use(await startSshServer())];
  const site = await addController({ server, api, web, ssh }, {});
  await site.agent.stop();
  await waitForStatus(site, 'offline');

  /** By several jobs at once, so that each node has one. */
  const evaluate = async () => {
    await installation.query(`select graphile_worker.add_job('evaluate-alerts') from generate_series(1, 12)`);
    const isDone = async () => {
      const text = `select id from graphile_worker.jobs where task_identifier = 'evaluate-alerts'`;
      return (await installation.query(text)).length === 0;
    };
    await poll(isDone, { what: 'all evaluations have ended' });
  };
  const listAlerts = () =>
    installation.query(`select serial_number, notified_at is not null as is_notified from alerts
      join controllers on controllers.id = controller_id`);
  // A server fires none in the first ten minutes, and waits for others that go with it.
  const passMinutes = async () => {
    const moved = installation.nodes.map(async ({ process }) => {
      const since = process.nextLine;
      process.signal('SIGUSR2');
      // A signal is heard later than a job: a node would evaluate by its clock of before.
      await process.waitForLine(/the clock went forward/, { since });
    });
    await Promise.all(moved);
    await evaluate();
  };
  await passMinutes();
  expect(await listAlerts()).toEqual([{ serial_number: site.serialNumber, is_notified: false }]);
  await passMinutes();
  await poll(() => receiver.received.size > 0, { what: 'the message is there' });
  await passMinutes();
  const isSent = async () =>
    (await installation.query(`select id from deliveries where status <> 'sent'`)).length === 0;
  await poll(isSent, { what: 'all messages are sent' });
  expect([...receiver.received.values()]).toEqual([1]);
  expect(await listAlerts()).toEqual([{ serial_number: site.serialNumber, is_notified: true }]);
}, 240_000);
