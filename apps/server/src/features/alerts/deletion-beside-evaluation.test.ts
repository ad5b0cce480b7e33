import { expect, it } from 'vitest';
import { createAlertsServer, createEmptyFleet } from './alerts.fixture.ts';

it.each(['organizations', 'alert_rules'] as const)(
  'alerts are evaluated while one of %s with alerts is being deleted, and neither waits for the other without end',
  async (table) => {
    const { server, owner } = await createAlertsServer();
    try {
      const { organization, fixture } = await createEmptyFleet(server, owner);
      const rule = await fixture.rule({ minutes: 5 });
      await fixture.controller('BACK');
      await fixture.controller('GONE');
      await fixture.goOffline('BACK');
      await fixture.pass(6);
      expect(await fixture.fired()).toEqual(['BACK']);
      await fixture.goOffline('GONE');
      server.clock.advance(6 * 60_000);
      await fixture.comeOnline('BACK');

      let evaluation: Promise<unknown> | undefined;
      let hasEnded = false;
      await server.db.transaction().execute(async (transaction) => {
        const id = table === 'organizations' ? organization : rule.id;
        await transaction.selectFrom(table).select('id').where('id', '=', id).forUpdate().execute();
        evaluation = fixture.evaluate().finally(() => {
          hasEnded = true;
        });
        evaluation.catch(() => {});
        // It is through, or waits for what is being deleted.
        await expect.poll(async () => hasEnded || (await server.isWaitingForLock())).toBe(true);
        await transaction.deleteFrom(table).where('id', '=', id).execute();
      });
      await evaluation;
      expect(
        (await server.db.selectFrom('alerts').select('id').where('resolved_at', 'is', null).execute()).length,
      ).toBe(0);
    } finally {
      await server.close();
    }
  },
);
