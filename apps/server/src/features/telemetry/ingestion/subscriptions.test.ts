import { PassThrough, type Readable } from 'node:stream';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { EndpointError, type TelemetryOffset } from '../../devices/index.ts';
import { createTelemetrySubscriptions } from './subscriptions.ts';

type Given = Parameters<typeof createTelemetrySubscriptions>;

beforeEach(() => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
});

/** Subscribes to one linked device that answers each request so. */
function subscribe(openTelemetry: (since: TelemetryOffset) => Promise<Readable>) {
  const device = {
    enrolmentId: 'one',
    controllerId: 'controller',
    serialNumber: 'ONE',
    streamId: null,
    offset: 0,
  };
  let isWatched = false;
  let onLive: (controllerId: string, isWatched: boolean) => void = () => {};
  let onChange: (enrolmentId: string, change: 'link' | 'waiting') => void = () => {};
  // Of each only what a subscription asks of it before anything has been told.
  const core = {
    events: { subscribe: () => {} },
    clock: { now: () => new Date() },
    log: { info: () => {}, warn: () => {}, error: () => {} },
  };
  const own = {
    links: {
      onChange: (listener: typeof onChange) => {
        onChange = listener;
      },
      get: () => ({ openTelemetry }),
      listIds: () => ['one'],
    },
    offsets: { openOffsets: async () => [device] },
    queue: { whenIdle: async () => {} },
    live: {
      isWatched: () => isWatched,
      onChange: (listener: typeof onLive) => {
        onLive = listener;
      },
    },
  };
  const subscriptions = createTelemetrySubscriptions(core as unknown as Given[0], own as unknown as Given[1]);
  subscriptions.start();
  onTestFinished(() => subscriptions.stop());
  return {
    changeLink: () => onChange('one', 'link'),
    changeWait: () => onChange('one', 'waiting'),
    setWatched(controllerId: string, isNow: boolean) {
      isWatched = isNow;
      onLive(controllerId, isNow);
    },
  };
}

it.each(['service_unknown', 'service_refused', 'link_closed'] as const)(
  'asks a device once on each link that answers %s',
  async (code) => {
    const answer = vi.fn(() => Promise.reject(new EndpointError(code)));
    const { changeLink } = subscribe(answer);
    await vi.advanceTimersByTimeAsync(3600_000);
    expect(answer).toHaveBeenCalledTimes(1);
    changeLink();
    await vi.advanceTimersByTimeAsync(3600_000);
    expect(answer).toHaveBeenCalledTimes(2);
  },
);

it('asks again and again where a device did not answer in time', async () => {
  const answer = vi.fn(() => Promise.reject(new EndpointError('service_timeout')));
  subscribe(answer);
  await vi.advanceTimersByTimeAsync(3600_000);
  expect(answer.mock.calls.length).toBeGreaterThan(100);
});

it('leaves a new link in peace that came before the next try', async () => {
  const answer = vi
    .fn(async (): Promise<Readable> => new PassThrough())
    .mockRejectedValueOnce(new EndpointError('service_timeout'));
  const { changeLink } = subscribe(answer);
  await vi.advanceTimersByTimeAsync(200);
  changeLink();
  await vi.advanceTimersByTimeAsync(3600_000);
  expect(answer).toHaveBeenCalledTimes(2);
});

it('begins a live subscription when somebody looks, and a quiet one when nobody does any more', async () => {
  const streams: PassThrough[] = [];
  const answer = vi.fn(async (_since: TelemetryOffset): Promise<Readable> => {
    streams.push(new PassThrough());
    return streams.at(-1) ?? new PassThrough();
  });
  const { setWatched } = subscribe(answer);
  await vi.advanceTimersByTimeAsync(200);
  setWatched('another', true);
  setWatched('controller', true);
  setWatched('controller', true);
  await vi.advanceTimersByTimeAsync(200);
  setWatched('controller', false);
  await vi.advanceTimersByTimeAsync(200);
  expect(answer.mock.calls.map(([{ isLive }]) => isLive)).toEqual([false, true, false]);
  // One at a time.
  expect(streams.map(({ destroyed }) => destroyed)).toEqual([true, true, false]);
});

it('a subscription whose link is cut and comes back goes on, and none begins beside it', async () => {
  const stream = new PassThrough();
  const answer = vi.fn(async () => stream);
  const { changeWait, changeLink } = subscribe(answer);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(answer).toHaveBeenCalledTimes(1);
  changeWait();
  changeWait();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(answer).toHaveBeenCalledTimes(1);
  expect(stream.destroyed).toBe(false);
  changeLink();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(answer).toHaveBeenCalledTimes(2);
});
