import { describe, expect, it } from 'vitest';
import { limits } from '../limits.ts';
import { routes } from '../routes/index.ts';
import { describeIssues } from '../validation.ts';
import { auditActions } from '../values/audit.ts';

const { query } = routes.listControllers;
const parse = (value: unknown) => query.safeParse(value, { reportInput: true });

describe('the query of a list', () => {
  it('takes an empty value for an absent one', () => {
    const empty = { page: '', page_size: '', ordering: '', search: '', organization_id: '', status: '' };
    expect(parse(empty)).toMatchObject({ success: true });
    expect(Object.values(parse(empty).data ?? {}).every((value) => value === undefined)).toBe(true);
  });

  it('reads numbers within their limits', () => {
    expect(parse({ page: '3', page_size: '5000' }).data).toMatchObject({ page: 3, page_size: 5000 });
    expect(parse({ page_size: '0' }).data).toMatchObject({ page_size: 0 });
    for (const page of ['0', '-1', '1.5', '1e3', '0x10', ' 1', 'x', '1000001', '9'.repeat(30)]) {
      expect([page, parse({ page }).success]).toEqual([page, false]);
    }
    expect(parse({ page_size: '5001' }).success).toBe(false);
  });

  it('takes bounds from end to end of the world, and nothing beyond', () => {
    for (const [name, end] of [
      ['latitude', 90],
      ['longitude', 180],
    ] as const) {
      const bounds = { [`${name}_min`]: -end, [`${name}_max`]: end };
      for (const value of [bounds, { [`${name}_max`]: -end }, { [`${name}_min`]: end }])
        expect(
          parse(Object.fromEntries(Object.entries(value).map(([key, degrees]) => [key, `${degrees}`]))),
        ).toMatchObject({
          data: value,
        });
      for (const side of ['min', 'max'])
        for (const beyond of [-end - 0.1, end + 0.1])
          expect([side, beyond, parse({ [`${name}_${side}`]: `${beyond}` }).success]).toEqual([
            side,
            beyond,
            false,
          ]);
    }
  });

  it('says in its own words what true and false are written like', () => {
    const { error } = parse({ located: 'yes' });
    expect(error && { ...describeIssues(error, 'en') }).toEqual({
      located: ['Only true or false is allowed.'],
    });
  });

  it('reads an ordering of known keys, each once, in either direction', () => {
    expect(parse({ ordering: 'status,-last_seen_at' }).data?.ordering).toEqual([
      { key: 'status', descending: false },
      { key: 'last_seen_at', descending: true },
    ]);
    for (const ordering of [
      'id',
      'status,',
      ',',
      '-',
      '--status',
      'status,-status',
      'STATUS',
      'status;drop',
    ]) {
      expect([ordering, parse({ ordering }).success]).toEqual([ordering, false]);
    }
  });

  it('reads one or more statuses', () => {
    expect(parse({ status: 'online' }).data?.status).toEqual(['online']);
    expect(parse({ status: 'offline,never' }).data?.status).toEqual(['offline', 'never']);
    for (const status of ['up', 'online,', 'online,up']) expect(parse({ status }).success).toBe(false);
  });

  it('refuses repeated and unknown parameters', () => {
    expect(parse({ page: ['1', '2'] }).success).toBe(false);
    expect(parse({ search: ['a', 'b'] }).success).toBe(false);
    expect(parse({ password: 'x' }).success).toBe(false);
  });

  it('takes all values of a list at once, however many there are', () => {
    const { query: auditQuery } = routes.listAuditEvents;
    const action = auditActions.join(',');
    expect(action.length).toBeGreaterThan(limits.filterLength);
    expect(auditQuery.safeParse({ action }).data?.action).toEqual(auditActions);
    expect(auditQuery.safeParse({ action: `${action},${action}` }).success).toBe(false);
  });
});
