import type { ControllerHistory } from '@pult/contract';
import { createTestController, createTestServer, type TestServer } from '@pult/testkit/in-process';
import { createHistoryRecorder } from './recorder.ts';

export interface ToldAt {
  control: string;
  value: string;
  at: number;
}

export interface HistoryFixture {
  server: TestServer;
  organizationId: string;
  /** With these controls of the device `boiler`, by their types. */
  addController(controls?: Record<string, string | null>): Promise<RecordedController>;
  /** One run of the job. */
  keep(): Promise<void>;
  /** How many rows there are of each table. */
  countRows(): Promise<Record<'incoming' | 'hours' | 'chunks' | 'dirty', number>>;
}

export interface RecordedController {
  id: string;
  serialNumber: string;
  /** One batch. `fails`: its transaction is not committed. */
  tell(values: readonly ToldAt[], options?: { fails?: boolean; source?: object }): Promise<void>;
  read(control: string, start: number, stop: number): Promise<ControllerHistory>;
}

/** The job without a queue, and devices without links. */
export async function createHistoryFixture(): Promise<HistoryFixture> {
  const server = await createTestServer();
  const { db, clock } = server;
  const owner = await server.createUser();
  const organizationId = await server.createOrganization(owner);
  const recorder = createHistoryRecorder(db);
  const longAgo = new Date(clock.now().getTime() - 2000 * 24 * 3600_000);

  return {
    server,
    organizationId,
    async addController(controls = { supply: 'temperature', pump: 'switch', name: 'text', odd: null }) {
      const { id, serialNumber } = await createTestController(server, {
        organizationId,
        activatedAt: longAgo,
      });
      await db
        .insertInto('telemetry_offsets')
        .values({ controller_id: id, stream_id: null, received_at: null })
        .execute();
      const nothing = {
        title_en: null,
        title_ru: null,
        units: null,
        sort_order: null,
        readonly: null,
        error: null,
      };
      await db
        .insertInto('mqtt_controls')
        .values(
          Object.entries(controls).map(([control, type]) => ({
            controller_id: id,
            device: 'boiler',
            control,
            type,
            ...nothing,
            value_titles: null,
            value: null,
            updated_at: null,
            seen_at: longAgo,
          })),
        )
        .execute();
      const ownSource = {};
      return {
        id,
        serialNumber,
        async tell(values, { fails = false, source = ownSource } = {}) {
          const told = values.map(({ control, value, at }) => ({
            device: 'boiler',
            control,
            value,
            at: new Date(at),
          }));
          const batch = { source, controllerId: id, activatedAt: longAgo, values: told, changed: [] };
          const committed = db.transaction().execute(async (transaction) => {
            const onCommitted = await recorder.record(transaction, [batch], clock.now());
            if (fails) throw new Error('the server was killed');
            return onCommitted;
          });
          if (fails) await committed.catch(() => {});
          else (await committed)();
        },
        async read(control, start, stop) {
          // A login is good for a while, and the clock is moved by days.
          const user = await server.createUser();
          await server.addMember(organizationId, user, 'viewer');
          const answer = await server.call('queryControllerHistory', {
            as: user,
            params: { serialNumber },
            body: {
              controls: [{ device: 'boiler', control }],
              start: new Date(start).toISOString(),
              stop: new Date(stop).toISOString(),
            },
          });
          if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
          // What the route answers is checked against its schema by the test server.
          return answer.body as ControllerHistory;
        },
      };
    },
    async keep() {
      await server.server.jobs.find(({ name }) => name === 'keep-value-history')?.run();
    },
    async countRows() {
      const count = async (
        table: 'history_incoming' | 'history_hours' | 'history_chunks' | 'history_dirty',
      ) => (await db.selectFrom(table).selectAll().execute()).length;
      return {
        incoming: await count('history_incoming'),
        hours: await count('history_hours'),
        chunks: await count('history_chunks'),
        dirty: await count('history_dirty'),
      };
    },
  };
}
