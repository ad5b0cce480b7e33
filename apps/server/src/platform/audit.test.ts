import { expect, it, vi } from 'vitest';
import type { RecordAuditEvent } from './audit.ts';

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
