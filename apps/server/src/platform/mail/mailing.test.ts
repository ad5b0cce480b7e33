import { createTestServer, type TestServer } from '@pult/testkit/in-process';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createId } from '../ids.ts';

const [minute, day] = [60_000, 24 * 3600 * 1000];
let server: TestServer;
beforeEach(async () => {
  server = await createTestServer({
    environment: { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'pult@example.com' },
  });
});
afterEach(() => server.close());

interface Posted {
  kind: string;
  link?: { id: string; expiresAt: Date };
}
const post = ({ kind, link }: Posted) =>
  server.db.transaction().execute((transaction) =>
    server.server.mailing.outbox.add(
      {
        to: 'anna@example.org',
        locale: 'en',
        kind,
        content: { subject: kind, paragraphs: [] },
        ...(link ? { link } : {}),
      },
      transaction,
    ),
  );
const inTime = (milliseconds: number) => new Date(server.clock.now().getTime() + milliseconds);
const forget = () => server.server.jobs.find(({ name }) => name === 'forget-deliveries')?.run();
const readable = async () => (await server.readMails()).map(({ kind }) => kind);
const listed = async () => {
  const rows = await server.db.selectFrom('deliveries').select('kind').orderBy('id').execute();
  return rows.map(({ kind }) => kind);
};

describe('the body of a mail', () => {
  it('the body of a mail cannot be read in the database, only with the server’s key', async () => {
    await post({ kind: 'telling-subject' });
    const { content } = await server.db.selectFrom('deliveries').select('content').executeTakeFirstOrThrow();
    expect(content?.toString('latin1')).not.toContain('telling');
    expect(await readable()).toEqual(['telling-subject']);
  });

  it('goes when its link dies, and stays with other links', async () => {
    const [id, other] = [createId(), createId()];
    await post({ kind: 'dead', link: { id, expiresAt: inTime(day) } });
    await post({ kind: 'alive', link: { id: other, expiresAt: inTime(day) } });
    await server.db
      .transaction()
      .execute((transaction) => server.server.mailing.outbox.purge(id, transaction));
    expect(await readable()).toEqual(['alive']);
    expect(await listed()).toEqual(['dead', 'alive']);
  });

  it('goes when its link expires, sent or not', async () => {
    await post({ kind: 'sent', link: { id: createId(), expiresAt: inTime(60 * minute) } });
    await server.db.updateTable('deliveries').set({ status: 'sent' }).execute();
    await post({ kind: 'waiting', link: { id: createId(), expiresAt: inTime(60 * minute) } });
    await post({ kind: 'longer', link: { id: createId(), expiresAt: inTime(61 * minute) } });
    server.clock.advance(60 * minute - 1);
    await forget();
    expect(await readable()).toEqual(['sent', 'waiting', 'longer']);
    server.clock.advance(1);
    await forget();
    expect(await readable()).toEqual(['longer']);
  });

  it('goes after a week where there is no link, and with a link only by the link', async () => {
    await post({ kind: 'plain' });
    await post({ kind: 'linked', link: { id: createId(), expiresAt: inTime(30 * day) } });
    server.clock.advance(7 * day - 1);
    await forget();
    expect(await readable()).toEqual(['plain', 'linked']);
    server.clock.advance(1);
    await forget();
    expect(await readable()).toEqual(['linked']);
    expect(await listed()).toEqual(['plain', 'linked']);
  });
});

it('the record of a mail goes after 90 days', async () => {
  await post({ kind: 'old' });
  server.clock.advance(day);
  await post({ kind: 'newer' });
  server.clock.advance(89 * day);
  await forget();
  expect(await listed()).toEqual(['newer']);
});

it('a start queues the mails that may still be of use', async () => {
  await post({ kind: 'too old', link: { id: createId(), expiresAt: inTime(30 * day) } });
  server.clock.advance(minute);
  await post({ kind: 'link over', link: { id: createId(), expiresAt: inTime(day) } });
  const dead = createId();
  await post({ kind: 'link dead', link: { id: dead, expiresAt: inTime(30 * day) } });
  await server.db
    .transaction()
    .execute((transaction) => server.server.mailing.outbox.purge(dead, transaction));
  await post({ kind: 'already sent' });
  await server.db
    .updateTable('deliveries')
    .set({ status: 'sent' })
    .where('kind', '=', 'already sent')
    .execute();
  await post({ kind: 'plain' });
  await post({ kind: 'link alive', link: { id: createId(), expiresAt: inTime(30 * day) } });
  await server.db.deleteFrom('graphile_worker._private_jobs' as 'deliveries').execute();
  server.clock.advance(7 * day - minute);

  await server.server.deliveries.recoverFromCrash();
  const jobs = await server.db
    .selectFrom('graphile_worker._private_jobs as jobs' as 'deliveries')
    .selectAll()
    .execute();
  // The columns are the queue's own.
  const ids = (jobs as unknown as { payload: { id: string } }[]).map(({ payload }) => payload.id);
  const rows = await server.db
    .selectFrom('deliveries')
    .select('kind')
    .where('id', 'in', ids)
    .orderBy('id')
    .execute();
  expect(rows.map(({ kind }) => kind)).toEqual(['plain', 'link alive']);
});

it('a mail whose server was killed is taken up again, one that waits for its next try goes on waiting', async () => {
  await post({ kind: 'in hand' });
  await post({ kind: 'next try' });
  const [inHand, nextTry] = await server.db.selectFrom('deliveries').select('id').orderBy('id').execute();
  const dead = "locked_at = now(), locked_by = 'dead', attempts = 1";
  await sql`update graphile_worker._private_jobs set ${sql.raw(dead)} where key = ${`delivery ${inHand?.id}`}`.execute(
    server.db,
  );
  await sql`update graphile_worker._private_jobs set run_at = now() + interval '1 hour'
    where key = ${`delivery ${nextTry?.id}`}`.execute(server.db);
  await server.server.jobs.find(({ name }) => name === 'resume-deliveries')?.run();
  const { rows } = await sql`
    select payload->>'id' as id, run_at > now() + interval '59 minutes' as "isLater"
    from graphile_worker._private_jobs where locked_by is null order by 1`.execute(server.db);
  expect(rows).toEqual([
    { id: inHand?.id, isLater: false },
    { id: nextTry?.id, isLater: true },
  ]);
});
