import type { ControllerHistory } from '@pult/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createLog } from '../../platform/log.ts';
import { day, hour } from './core/resolutions.ts';
import { createHistoryFixture, type HistoryFixture, type ToldAt } from './history.fixture.ts';
import { createHistoryKeeper } from './keeper.ts';
import { createKeepingRepository, type KeepingRepository } from './keeping.repository.ts';

const minute = 60_000;
let fixture: HistoryFixture;
let past: number;

beforeAll(async () => {
  fixture = await createHistoryFixture();
  past = Math.floor(fixture.server.clock.now().getTime() / day) * day - 10 * day;
});
afterAll(() => fixture.server.close());

/** A job that is killed at one of its steps, before that is committed or right after; nothing of it goes on then. */
function createMortalKeeper({ at, isCommitted }: { at: number; isCommitted: boolean }) {
  const { db, clock } = fixture.server;
  const repository = createKeepingRepository(db);
  let step = 0;
  let isDead = false;
  const die = () => {
    isDead = true;
    throw new Error('the server was killed');
  };
  const mortal = (name: 'closeHour' | 'closeDay' | 'roll' | 'saveNextSpan' | 'forget') => {
    const run = repository[name] as (...values: unknown[]) => Promise<void>; // each is called with its own arguments
    return async (...values: unknown[]) => {
      if (isDead) die();
      step += 1;
      if (step !== at) return run(...values);
      const last = values.at(-1);
      // In the middle of its transaction, where something of it has been written and deleted.
      if (!isCommitted && typeof last === 'function') return run(...values.slice(0, -1), die);
      if (!isCommitted) return die();
      await run(...values);
      die();
    };
  };
  const keeper = createHistoryKeeper(
    { clock, log: createLog('silent') },
    {
      repository: {
        ...repository,
        closeHour: mortal('closeHour'),
        closeDay: mortal('closeDay'),
        roll: mortal('roll'),
        saveNextSpan: mortal('saveNextSpan'),
        forget: mortal('forget'),
      } satisfies KeepingRepository,
    },
  );
  return { run: () => keeper.run().catch(() => {}), wasKilled: () => isDead };
}

it('a batch whose server was killed before it was stored is stored once when it is told again', async () => {
  const controller = await fixture.addController();
  const at = past + hour;
  const batch: ToldAt[] = [{ control: 'supply', value: '20', at }];
  await controller.tell(batch, { fails: true });
  await controller.tell(batch, { fails: true });
  await controller.tell(batch);
  const { series } = await controller.read('supply', at, at + hour);
  expect(series[0]?.points.map(({ last }) => last)).toEqual([20]);
});

it('over a month all is there at each step of the first run of the job', async () => {
  const controller = await fixture.addController();
  const now = fixture.server.clock.now().getTime();
  const told = [20, 12, 1].map((days) => ({ control: 'supply', value: String(days), at: now - days * day }));
  await controller.tell(told);
  const read = async () => (await controller.read('supply', now - 30 * day, now)).series[0]?.points;
  const expected = await read();
  expect(expected?.map(({ last }) => last)).toEqual([20, 12, 1]);
  for (let wasKilled = true, at = 1; wasKilled; at += 1) {
    const keeper = createMortalKeeper({ at, isCommitted: true });
    await keeper.run();
    expect(await read()).toEqual(expected);
    wasKilled = keeper.wasKilled();
  }
});

it('a job that is killed at any of its steps loses nothing and doubles nothing, and the next one ends its work', async () => {
  const [whole, broken] = [await fixture.addController(), await fixture.addController()];
  /** Three days of two controls in batches, the last of them of today; and something late for each. */
  async function tellAll({ tell }: typeof whole, between: () => Promise<void>): Promise<void> {
    const now = fixture.server.clock.now().getTime();
    for (const start of [past, past + day, past + 9 * day, now - 3 * hour]) {
      for (let index = 0; index < 6; index += 1) {
        const at = start + index * 25 * minute;
        await tell([
          { control: 'supply', value: String(20 + index), at },
          { control: 'supply', value: String(10 - index), at: at + 30_000 },
          { control: 'pump', value: String(index % 2), at },
        ]);
      }
      await between();
      await tell([{ control: 'supply', value: '55', at: start + 5 * minute }]);
    }
  }
  await tellAll(whole, fixture.keep);
  await fixture.keep();

  let kills = 0;
  async function keepWithKills(): Promise<void> {
    for (let at = 1; ; at += 1) {
      let killed = false;
      for (const isCommitted of [false, true]) {
        const keeper = createMortalKeeper({ at, isCommitted });
        await keeper.run();
        killed ||= keeper.wasKilled();
        kills += keeper.wasKilled() ? 1 : 0;
      }
      if (!killed) return;
    }
  }
  await tellAll(broken, keepWithKills);
  await keepWithKills();
  expect(kills).toBeGreaterThan(15);

  const points = ({ resolution, series }: ControllerHistory) => [resolution, series[0]?.points];
  const now = fixture.server.clock.now().getTime();
  for (const control of ['supply', 'pump'])
    for (const start of [past, past + 9 * day, now - 9 * hour, now - 25 * day, now - 1000 * day])
      expect(points(await broken.read(control, start, Math.min(now, start + 30 * day)))).toEqual(
        points(await whole.read(control, start, Math.min(now, start + 30 * day))),
      );
});
