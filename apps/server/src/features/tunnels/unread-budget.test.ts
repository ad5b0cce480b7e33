import { expect, it } from 'vitest';
import { createUnreadBudget, type Unread, unreadLimits } from './unread-budget.ts';

function create(limits: Partial<typeof unreadLimits>) {
  const none = Number.POSITIVE_INFINITY;
  const budget = createUnreadBudget({
    perUser: none,
    perController: none,
    perOrganization: none,
    inAll: none,
    ...limits,
  });
  const cut: string[] = [];
  const hold = (name: string, bytes: number, changes: Partial<Unread> = {}) => {
    const forget = budget.add({
      userId: 'u',
      controllerId: 'c',
      organizationId: 'o',
      measure: () => bytes,
      cut() {
        cut.push(name);
        forget();
      },
      ...changes,
    });
    return forget;
  };
  return { budget, cut, hold };
}

it.each([
  ['a user', 'perUser', { userId: 'another' }],
  ['a controller', 'perController', { controllerId: 'another' }],
  ['an organization', 'perOrganization', { organizationId: 'another' }],
  ['the server', 'inAll', {}],
] as const)(
  'what waits unread of %s is cut where it is beyond its limit, the largest first',
  (_, limit, other) => {
    const { budget, cut, hold } = create({ [limit]: 100 });
    hold('small', 30);
    hold('large', 50);
    budget.look();
    expect(cut).toEqual([]);
    hold('third', 40);
    if (limit !== 'inAll') hold('another’s', 90, other);
    budget.look();
    expect(cut).toEqual(['large']);
  },
);

it('what waits unread is cut of the user who holds most, not of another with one larger stream', () => {
  const { budget, cut, hold } = create({ perController: 100 });
  hold('another’s', 40, { userId: 'another' });
  for (const name of ['first', 'second', 'third']) hold(name, 30);
  budget.look();
  expect(cut).toEqual(['first']);
});

it('what waits unread and was closed counts no longer', () => {
  const { budget, cut, hold } = create({ perUser: 100 });
  const forget = hold('closed', 90);
  hold('open', 90);
  forget();
  budget.look();
  expect(cut).toEqual([]);
});

it('what may wait unread has room for several slow downloads of one user, and a share of the whole for each', () => {
  expect(unreadLimits.perUser).toBeGreaterThanOrEqual(8 * 4 * 2 ** 20);
  expect(unreadLimits.perUser * 2).toBeLessThanOrEqual(unreadLimits.perController);
  expect(unreadLimits.perController).toBeLessThan(unreadLimits.perOrganization);
  expect(unreadLimits.perOrganization).toBeLessThan(unreadLimits.inAll);
});
