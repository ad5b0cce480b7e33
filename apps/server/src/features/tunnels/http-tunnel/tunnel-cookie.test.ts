import { describe, expect, it } from 'vitest';
import { createInterfaceCookies } from './tunnel-cookie.ts';

const web = { serialNumber: 'A1', port: null };
const expires = new Date('2030-01-01T00:00:00Z');
const nameIn = (setCookie: string) => setCookie.split('=')[0] ?? '';

describe('a device’s cookies, on a host of its own', () => {
  const plain = createInterfaceCookies(web, { isSecure: false, hasOwnHost: true }).device;
  const secure = createInterfaceCookies(web, { isSecure: true, hasOwnHost: true }).device;

  it.each([
    ['sid=1; Path=/; HttpOnly', 'sid=1; Path=/; HttpOnly'],
    ['sid=1; Domain=.example.com; Path=/', 'sid=1; Path=/'],
    ['sid=1; domain', 'sid=1'],
    ['sid=1; Secure; SameSite=None; Partitioned', 'sid=1'],
    ['sid=1; SameSite=Strict; secure', 'sid=1; SameSite=Strict'],
    ['=nameless', '=nameless'],
  ])('pass plain http as %j → %j', (given, expected) => {
    expect(plain.toBrowser(given)).toBe(expected);
  });

  it('keep over https what asks for it', () => {
    const given = '__Host-sid=1; Path=/; Secure; SameSite=None';
    expect(secure.toBrowser(given)).toBe(given);
  });

  it('a device’s cookies, on a host of its own of a name for https alone come back through plain http too', () => {
    const given = plain.toBrowser('__Secure-sid=1; Secure; Path=/') ?? '';
    expect(given).not.toMatch(/^__|secure(;|$)/);
    expect(plain.toUpstream(`other=2; ${nameIn(given)}=1`)).toBe('other=2; __Secure-sid=1');
  });

  it.each(['pult_session=x', '=pult_tunnel=x', 'PULT_tunnel=x', '__Host-pult_session=x', ' pult_d_x=1'])(
    'a device’s cookies, on a host of its own are never %j',
    (given) => {
      expect(plain.toBrowser(given)).toBeUndefined();
      expect(secure.toBrowser(given)).toBeUndefined();
    },
  );
});

describe('a device’s cookies, on a host that others share', () => {
  const one = createInterfaceCookies(web, { isSecure: false, hasOwnHost: false });
  const named = createInterfaceCookies({ ...web, port: 8080 }, { isSecure: false, hasOwnHost: false });

  it('a device’s cookies, on a host that others share have a name of its own and come back under the device’s, to it alone', () => {
    const given = one.device.toBrowser('sid=1; Path=/') ?? '';
    expect(given).toMatch(/^pult_d[0-9a-f]{12}_sid=1; Path=\/; HttpOnly$/);
    const pair = `${nameIn(given)}=1`;
    expect(one.device.toUpstream(pair)).toBe('sid=1');
    expect(named.device.toUpstream(pair)).toBeUndefined();
    expect(nameIn(named.device.toBrowser('sid=1') ?? '')).not.toBe(nameIn(given));
  });

  it('a device’s cookies, on a host that others share are hidden from scripts, but for tokens against forged requests', () => {
    expect(one.device.toBrowser('sid=1; HTTPONLY')).toMatch(/_sid=1; HTTPONLY$/);
    expect(one.device.toBrowser('XSRF-TOKEN=t; Path=/')).toBe('XSRF-TOKEN=t; Path=/');
    expect(one.device.toUpstream('XSRF-TOKEN=t; lang=ru')).toBe('XSRF-TOKEN=t; lang=ru');
  });

  it('need a name', () => {
    expect(one.device.toBrowser('=value')).toBeUndefined();
    expect(one.device.toBrowser('value')).toBeUndefined();
  });

  it('a device’s cookies, on a host that others share are opened by a cookie that names the interface, and never show it', () => {
    const header = one.tunnel.serialize('secret', expires);
    expect(header).toMatch(/^pult_tunnel_A1=secret; Path=\/; .*HttpOnly; SameSite=Strict$/);
    const secure = createInterfaceCookies({ ...web, port: 8080 }, { isSecure: true, hasOwnHost: false });
    expect(secure.tunnel.serialize('x', expires)).toMatch(/^__Host-pult_tunnel_A1--8080=x; .*Secure/);
    const sent = 'pult_session=c; pult_tunnel_A1=secret; pult_tunnel_A1--8080=other';
    expect(one.tunnel.read(sent)).toBe('secret');
    expect(named.tunnel.read(sent)).toBe('other');
    expect(one.device.toUpstream(sent)).toBeUndefined();
  });

  it('a device’s cookies, on a host that others share cannot put a second tunnel cookie before ours', () => {
    expect(one.tunnel.read('pult_tunnel_A1=planted; pult_tunnel_A1=secret')).toBeUndefined();
  });
});
