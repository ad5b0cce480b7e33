import { afterEach, expect, it, vi } from 'vitest';
import { systemClock } from '../../platform/clock.ts';
import { Events } from '../../platform/events/events.ts';
import { createLog } from '../../platform/log.ts';
import type { EventStreamGrant } from './open-event-streams.repository.ts';
import { createOpenEventStreams } from './open-event-streams.ts';

afterEach(() => vi.useRealTimers());

it('open event streams are looked up every second without any event, and cut by the first look after their end', async () => {
  vi.useFakeTimers();
  let isEnded = false;
  const listChanged = vi.fn(async (grants: ReadonlyMap<string, EventStreamGrant>) =>
    [...grants.keys()].map((name) => ({ name, isEnded, isPartial: false, part: '' })),
  );
  const log = createLog('silent');
  const repository = { listChanged, listVisible: async () => new Set<string>() };
  const streams = createOpenEventStreams(
    { events: new Events(log), log, clock: systemClock },
    { repository },
  );
  const cut = vi.fn();
  const ids = { organizationId: 'o', userId: 'u', sessionId: 's' };
  streams.add({ ...ids, isPartial: false, part: '' }, { cut, changePart: () => {} });
  streams.start();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(listChanged).toHaveBeenCalledTimes(5);
  expect(cut).not.toHaveBeenCalled();
  isEnded = true;
  await vi.advanceTimersByTimeAsync(1_000);
  expect(cut).toHaveBeenCalledTimes(1);
  streams.stop();
});
