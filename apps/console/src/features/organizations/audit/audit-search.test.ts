import { auditActions, auditActionsOfOrganizations } from '@pult/contract';
import { expect, test } from 'vitest';

import { auditFilters, auditList, isPeriodReversed } from './audit-search.ts';
import { en } from './messages.ts';

const { initial, read, write } = auditList;

test('what is written into the address is read again', () => {
  const search = {
    page: 3,
    pageSize: 100,
    action: ['member.joined', 'tunnel.opened'],
    user: 'a@b.c & d',
    subject: 'SN-1',
    from: '2026-11-01',
    to: '2026-11-20',
  } as const;
  expect(read(write(search))).toEqual(search);
  expect(write(initial)).toEqual({});
});

test('a hand-made address shows a list and not an error', () => {
  const raw = {
    page: '-1',
    page_size: '99999',
    action: 'nothing,,',
    from: '2026-02-31',
    to: 'now',
    user: 'x'.repeat(300),
  };
  expect(read(raw)).toEqual({ ...initial, pageSize: 5000, user: 'x'.repeat(255) });
});

test('a period is of whole days here, the last one included', () => {
  const { from, to } = auditFilters({ ...initial, from: '2026-02-27', to: '2026-02-28' });
  expect(new Date(String(from)).getTime()).toBe(new Date(2026, 1, 27).getTime());
  expect(new Date(String(to)).getTime()).toBe(new Date(2026, 2, 1).getTime());
});

test('a period that ends before it begins is seen', () => {
  expect(isPeriodReversed({ from: '2026-02-02', to: '2026-02-01' })).toBe(true);
  expect(isPeriodReversed({ from: '2026-02-02', to: '2026-02-02' })).toBe(false);
  expect(isPeriodReversed({ from: '', to: '2026-02-01' })).toBe(false);
});

test('every kind of event has its words', () => {
  const words: Record<string, unknown> = en.action;
  const find = (action: string) =>
    action
      .split('.')
      .reduce<unknown>((at, part) => (at as Record<string, unknown> | undefined)?.[part], words);
  expect(auditActions.filter((action) => typeof find(action) !== 'string')).toEqual([]);
});

test('the filter offers every kind of event that an organization has, once', () => {
  // Or to the installation.
  const ofPeople =
    /^(administrator|agent_updates|agent_update_key|backup|job|login|logout|passkey|password|totp|recovery_codes?|sessions|token\.refused|user)(\.|$)/;
  expect([...auditActionsOfOrganizations].sort()).toEqual(
    auditActions.filter((action) => !ofPeople.test(action)).sort(),
  );
});
