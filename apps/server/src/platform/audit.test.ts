import type { AuditAction } from '@pult/contract';
import { createTestServer, type TestServer } from '@pult/testkit/in-process';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type AuditEvent, createAuditLog, type RecordAuditEvent } from './audit.ts';

it('an event takes only details that readers have a name for', () => {
  const calls = vi.fn();
  const record: RecordAuditEvent = calls;
  const event = { action: 'logout', subject: 'a@example.com', address: '192.0.2.7' } as const;
  const nameless = { port: 1880, portNumber: 1880 };
  // @ts-expect-error: no reader knows `portNumber`
  void record({ ...event, details: nameless });
  void record({ ...event, details: { port: 1880 } });
  expect(calls).toHaveBeenCalledTimes(2);
});

describe('equal events of one minute', () => {
  let server: TestServer;
  let record: RecordAuditEvent;
  let organizationId: string;

  beforeAll(async () => {
    server = await createTestServer();
    record = createAuditLog(server.db, server.clock).record;
  });
  afterAll(() => server.close());
  beforeEach(() => {
    organizationId = globalThis.crypto.randomUUID();
    // To the beginning of a minute of the clock.
    server.clock.advance(60_000 - (server.clock.now().getTime() % 60_000));
  });

  const event = (changes: Partial<AuditEvent> = {}) => ({
    action: 'controller.updated' as AuditAction,
    organizationId,
    subject: 'SN-1',
    address: '192.0.2.7',
    details: { changed: 'description' },
    ...changes,
  });
  const rows = () =>
    server.db
      .selectFrom('audit_events')
      .select(['at', 'count', 'last_at'])
      .where('organization_id', '=', organizationId)
      .orderBy('at')
      .execute();

  it('equal events of one minute are one row with their count and the moment of the last', async () => {
    const first = server.clock.now();
    await record(event());
    server.clock.advance(40_000);
    await record(event());
    server.clock.advance(19_999);
    const last = server.clock.now();
    await record(event());
    expect(await rows()).toEqual([{ at: first, count: 3, last_at: last }]);
    server.clock.advance(1);
    await record(event());
    expect(await rows()).toEqual([
      { at: first, count: 3, last_at: last },
      { at: server.clock.now(), count: 1, last_at: null },
    ]);
  });

  it.each<Partial<AuditEvent>>([
    { action: 'controller.deleted' },
    { subject: 'SN-2' },
    { address: '192.0.2.8' },
    { details: { changed: 'latitude' } },
    { details: {} },
    { userId: '01890a5d-ac96-774b-bcce-b302099a8111' },
  ])('what differs in %j keeps its own row', async (changes) => {
    await record(event());
    await record(event(changes));
    expect((await rows()).map(({ count }) => count)).toEqual([1, 1]);
  });

  it('fifty equal events at the same moment are counted, and none is lost', async () => {
    await Promise.all(Array.from({ length: 50 }, () => record(event())));
    expect((await rows()).map(({ count }) => count)).toEqual([50]);
  });

  it('an event whose act is undone is counted no more', async () => {
    await record(event());
    const undone = server.db.transaction().execute(async (transaction) => {
      await record(event(), transaction);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect((await rows()).map(({ count }) => count)).toEqual([1]);
  });
});
