import { expect, it, vi } from 'vitest';
import { createLog } from '../log.ts';
import { createSshAdmission } from './ssh-admission.ts';

function createAdmission() {
  let now = Date.parse('2026-01-01T00:00:00Z');
  const clock = { now: () => new Date(now) };
  const log = Object.assign(createLog('silent'), { warn: vi.fn() });
  const admission = createSshAdmission(clock, { listener: 'PORT', log });
  return {
    warnings: log.warn.mock.calls,
    advance: (ms: number) => {
      now += ms;
    },
    fail(address: string, times: number) {
      for (let count = 0; count < times; count += 1) admission.noteFailure(address);
    },
    isPenalized: (address: string) => admission.acquire(address, () => {}) === 'penalized',
  };
}

it('failed logins of a network close the port for that network alone, for ten minutes', () => {
  const { advance, fail, isPenalized, warnings } = createAdmission();
  fail('2001:db8:1:1::1', 119);
  expect(warnings).toEqual([]);
  fail('2001:db8:1:1::1', 10);
  expect(warnings).toEqual([
    [{ listener: 'PORT', network: '2001:db8:1:1::/64' }, 'closed for a while: too many failed logins'],
  ]);
  expect(isPenalized('2001:db8:1:1::2')).toBe(true);
  expect(isPenalized('2001:db8:1:2::1')).toBe(false);
  advance(600_000);
  expect(isPenalized('2001:db8:1:1::2')).toBe(false);
});

it('failed logins of ten networks of a site of IPv6 close the port for the site, and for no other one', () => {
  const { fail, isPenalized } = createAdmission();
  for (let network = 1; network <= 10; network += 1) fail(`2001:db8:1:${network}::1`, 120);
  expect(isPenalized('2001:db8:1:ffff::1')).toBe(true);
  expect(isPenalized('2001:db8:2:1::1')).toBe(false);
  // Those of IPv4 are of somebody each.
  for (let host = 1; host <= 10; host += 1) fail(`192.0.2.${host}`, 120);
  expect(isPenalized('192.0.2.200')).toBe(false);
});
