import { expect, it } from 'vitest';
import { createWorkBudget, type WorkLimits, workLimits } from './work-budget.ts';

const plenty = { burst: 1_000_000, perSecond: 1_000_000 };
const rate = { burst: 100, perSecond: 100 };

function create(limits: Partial<WorkLimits>) {
  let time = 0;
  const strict = { burst: 10, perSecond: 1 };
  const budget = createWorkBudget(
    { perStream: strict, perUser: plenty, perOrganization: plenty, inAll: plenty, floodMs: 5_000, ...limits },
    () => time,
  );
  const cut: string[] = [];
  const open = (name: string, userId = 'u', organizationId = 'o') =>
    budget.add({ userId, organizationId }, () => cut.push(name));
  return {
    open,
    cut,
    pass(milliseconds: number) {
      time += milliseconds;
    },
  };
}

it.each([
  ['a user', 'perUser', ['u', 'another']],
  ['an organization', 'perOrganization', ['another', 'o']],
  ['the server', 'inAll', ['another', 'another']],
] as const)(
  'short pieces of %s that are beyond its limit are waited for, by all of its streams',
  (_, limit, owner) => {
    const { open, pass } = create({ [limit]: rate });
    expect(open('first').charge(90)).toBe(0);
    const second = open('second', ...owner);
    expect(second.charge(60)).toBe(500);
    expect(open('stranger', 'stranger', 'stranger').charge(20) > 0).toBe(limit === 'inAll');
    pass(2_000);
    expect(second.charge(20)).toBe(0);
  },
);

it('short pieces of who stays within what each stream may have wait for nobody else’s', () => {
  const { open, pass } = create({ perUser: rate });
  open('flood').charge(10_000);
  const typist = open('typist');
  for (let second = 0; second < 60; second += 1) {
    expect(typist.charge(1)).toBe(0);
    pass(1_000);
  }
});

it('short pieces without a pause end the stream that sends them, and no other', () => {
  const { open, cut, pass } = create({ perUser: rate });
  const flood = open('flood');
  const typist = open('typist');
  for (let second = 0; second < 5; second += 1) {
    flood.charge(1_000);
    typist.charge(1);
    pass(1_000);
  }
  expect(cut).toEqual([]);
  pass(1_000);
  flood.charge(1);
  typist.charge(1);
  expect(cut).toEqual(['flood']);
});

it('short pieces that are owed stay owed when their streams are closed', () => {
  const { open, pass } = create({ perUser: rate });
  const flood = open('flood');
  flood.charge(1_100);
  flood.end();
  flood.end();
  expect(open('again').charge(100)).toBe(11_000);
  pass(60_000);
  expect(open('later').charge(50)).toBe(0);
});

it('short pieces have room for many who type, and no user for what all may have', () => {
  expect(workLimits.perStream.perSecond).toBeGreaterThanOrEqual(10 * 20);
  expect(workLimits.perUser.perSecond * 2).toBeLessThanOrEqual(workLimits.perOrganization.perSecond);
  expect(workLimits.perOrganization.perSecond * 2).toBeLessThanOrEqual(workLimits.inAll.perSecond);
});
