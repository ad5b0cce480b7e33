import { createTestController, createTestServer } from '@pult/testkit/in-process';
import { expect, it } from 'vitest';
import { createMetricSamplesRepository, dayOf } from '../metrics/metric-samples.repository.ts';

it('the administrators of the installation and the admins of an organization that has its share are told in their language', async () => {
  let availableBytes = 10 * 2 ** 30;
  const disk = {
    measureRoom: async () => ({ availableBytes }),
    readMaxWalSize: async () => 2 ** 20,
    keepReserve: async () => {},
  };
  await using server = await createTestServer({ databaseDisk: disk, timing: { diskGuardMs: 5 } });
  // The guard looks at the disk from then on.
  await server.server.listen();
  const [operator, owner, member, other] = [
    await server.createUser(),
    await server.createUser(),
    await server.createUser(),
    await server.createUser(),
  ];
  const change = (id: string, set: { is_administrator?: boolean; locale?: 'ru' }) =>
    server.db.updateTable('users').set(set).where('id', '=', id).execute();
  await change(operator.id, { is_administrator: true });
  await change(owner.id, { locale: 'ru' });
  const greedy = await server.createOrganization(owner, 'Greedy');
  await server.addMember(greedy, member, 'member');
  const modest = await server.createOrganization(other, 'Modest');

  const samples = createMetricSamplesRepository(server.db);
  const at = server.clock.now();
  await samples.createDay(dayOf(at));
  for (const [organizationId, count] of [
    [greedy, 1_000],
    [modest, 1],
  ] as const) {
    const { id: controllerId, serialNumber } = await createTestController(server, { organizationId });
    const sample = { controllerId, serialNumber, organizationId, at, values: { load15: 1 } };
    const rows = Array.from({ length: count }, () => sample);
    await server.db.transaction().execute((transaction) => samples.insertSamples(transaction, rows));
  }
  const readTold = async () => {
    await server.server.jobs.find(({ name }) => name === 'share-disk')?.run();
    const mails = (await server.readMails()).filter(({ kind }) => kind === 'measurements-held');
    return Object.fromEntries(mails.map(({ to, subject }) => [to, subject]));
  };
  expect(await readTold()).toEqual({});

  availableBytes = 1_000;
  await expect.poll(readTold).toEqual({
    [operator.email]: expect.stringMatching(/^Measurements of “Greedy” are not kept/),
    [owner.email]: expect.stringMatching(/^Измерения организации «Greedy» не сохраняются/),
  });
});
