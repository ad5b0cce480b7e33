import { ServiceError, type ServiceErrorCode } from '@pult/link';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createListeners } from './listeners.ts';

type Dependencies = Parameters<typeof createListeners>[0];

/** How often a device is asked within an hour that answers each request with this error. */
async function countRequests(code: ServiceErrorCode): Promise<number> {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const openTelemetry = vi.fn(() => Promise.reject(new ServiceError(code)));
  const position = { enrolmentId: 'one', serialNumber: 'ONE', ring: null, seq: 0 };
  const silent = { info: () => {}, warn: () => {}, error: () => {} };
  // Of each only what a listener asks of it before anything has been told.
  const listeners = createListeners({
    links: { onChange: () => {}, get: () => ({ openTelemetry }), listIds: () => ['one'] },
    positions: { openPositions: async () => [position] },
    events: { subscribe: () => {} },
    clock: { now: () => new Date() },
    log: silent,
    queue: { whenIdle: async () => {} },
  } as unknown as Dependencies);
  listeners.start();
  await vi.advanceTimersByTimeAsync(3600_000);
  await listeners.stop();
  return openTelemetry.mock.calls.length;
}

it.each(['service_unknown', 'service_refused', 'link_closed'] as const)(
  'asks a device once on each link that answers %s',
  async (code) => {
    expect(await countRequests(code)).toBe(1);
  },
);

it('asks again where a device did not answer in time', async () => {
  expect(await countRequests('service_timeout')).toBeGreaterThan(100);
});
