import { TestClock } from '@pult/testkit/in-process';
import { describe, expect, it } from 'vitest';
import { Events } from '../../../platform/events/events.ts';
import { createLog } from '../../../platform/log.ts';
import type { TunnelAccess } from '../tunnels.repository.ts';
import { createRememberedAccess } from './tunnel-access.ts';

// The parts that remembering looks at.
const access = { tunnelId: 't', serialNumber: 'A', port: null } as TunnelAccess;
const web = { serialNumber: 'A', port: null };

function create(getByCookie: () => Promise<TunnelAccess | undefined>) {
  const clock = new TestClock();
  const events = new Events(createLog('silent'));
  const tunnels = { getByCookie, redeemHttpTicket: async () => ({ access, cookie: 'fresh' }) };
  return { clock, events, remembered: createRememberedAccess({ tunnels, events, clock }) };
}

describe('access by a cookie', () => {
  it('access by a cookie is looked up once for the requests of one page', async () => {
    let looks = 0;
    const { clock, remembered } = create(async () => {
      looks += 1;
      return access;
    });
    for (let request = 0; request < 20; request += 1) expect(await remembered.get('c', web)).toBe(access);
    expect(looks).toBe(1);
    expect(await remembered.get('c', { serialNumber: 'B', port: null })).toBeUndefined();
    expect(await remembered.get('c', { serialNumber: 'A', port: 8080 })).toBeUndefined();
    clock.advance(1_000);
    await remembered.get('c', web);
    expect(looks).toBe(2);
  });

  it('access by a cookie is looked up once for requests that come together, and for each interface', async () => {
    let looks = 0;
    const { events, remembered } = create(async () => {
      looks += 1;
      return access;
    });
    const together = Array.from({ length: 16 }, () => remembered.get('c', web));
    expect(await Promise.all(together)).toEqual(together.map(() => access));
    expect(looks).toBe(1);
    events.publish('accessEnded', {});
    const other = { serialNumber: 'B', port: null };
    await Promise.all([remembered.get('c', web), remembered.get('c', other), remembered.get('d', web)]);
    expect(looks).toBe(4);
  });

  it('access by a cookie that failed to be looked up is looked up again', async () => {
    let looks = 0;
    const { remembered } = create(async () => {
      looks += 1;
      if (looks === 1) throw new Error('no database');
      return access;
    });
    const failed = await Promise.allSettled([remembered.get('c', web), remembered.get('c', web)]);
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await remembered.get('c', web)).toBe(access);
  });

  it('access by a cookie that was just opened is known to the page that follows', async () => {
    let looks = 0;
    const { events, remembered } = create(async () => {
      looks += 1;
      return undefined;
    });
    await remembered.redeem('ticket', web);
    expect(await remembered.get('fresh', web)).toBe(access);
    expect(looks).toBe(0);
    const redeeming = remembered.redeem('ticket', web);
    events.publish('accessEnded', {});
    await redeeming;
    expect(await remembered.get('fresh', web)).toBeUndefined();
    expect(looks).toBe(1);
  });

  it('access by a cookie that ended during a look is neither given nor remembered', async () => {
    let isAllowed = true;
    let finish = () => {};
    const { events, remembered } = create(() => {
      const found = isAllowed ? access : undefined;
      return isAllowed ? new Promise((resolve) => (finish = () => resolve(found))) : Promise.resolve(found);
    });
    const asked = remembered.get('c', web);
    isAllowed = false;
    events.publish('accessEnded', {});
    finish();
    expect(await asked).toBeUndefined();
    expect(await remembered.get('c', web)).toBeUndefined();
  });

  it('access by a cookie that nobody uses any more is held no longer than its moment', async () => {
    const { clock, remembered } = create(async () => access);
    for (let page = 0; page < 100; page += 1) {
      await remembered.get(`cookie ${page}`, web);
      clock.advance(100);
    }
    expect(remembered.size).toBe(10);
    await remembered.get('cookie 99', web);
    clock.advance(1_000);
    await remembered.get('cookie 99', web);
    expect(remembered.size).toBe(1);
  });
});
