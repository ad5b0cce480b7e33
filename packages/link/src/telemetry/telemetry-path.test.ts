import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatTelemetryPath, parseTelemetryPath } from '../telemetry.ts';

test('a request for telemetry says from where it goes on, and whether somebody looks', () => {
  const unit = fc.constantFrom(...'abcXYZ019_-');
  const streamId = fc.option(fc.string({ unit, minLength: 8, maxLength: 32 }), { nil: null });
  fc.assert(
    fc.property(streamId, fc.maxSafeNat(), fc.boolean(), (id, offset, isLive) => {
      const since = { streamId: id, offset, ...(isLive ? { isLive } : {}) };
      expect(parseTelemetryPath(formatTelemetryPath(since))).toEqual(since);
    }),
  );
});

test.each([
  '/v1/telemetry',
  '/v1/telemetry?since=',
  '/v1/telemetry?since=-1',
  '/v1/telemetry?since=1&live=0',
  '/v1/telemetry?since=1&live=1&stream_id=stream-of-test',
  '/v1/telemetry?since=1&stream_id=short',
])('%s is no request for telemetry', (path) => {
  expect(parseTelemetryPath(path)).toBeNull();
});
