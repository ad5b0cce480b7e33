import { describe, expect, it } from 'vitest';
import { readClaims } from './claims.ts';

const settings = { groupsClaim: 'groups', secondFactorAcr: ['urn:mfa'] };
const idToken = { iss: 'https://id.example.com', sub: 'a' };

describe('claims of a provider', () => {
  it.each([
    ['empty', ''],
    ['longer than OpenID Connect allows', 'x'.repeat(256)],
    ['what no database keeps', 'a\u0000b'],
  ])('a subject that is %s is refused', (_, sub) => {
    expect(() => readClaims(settings, { ...idToken, sub })).toThrow();
  });

  it('groups that are what no database keeps are left out, and so are more than a thousand', () => {
    const many = Array.from({ length: 1200 }, (_, index) => `g${index}`);
    expect(readClaims(settings, { ...idToken, groups: ['a\u0000', 'b'] } as never).groups).toEqual(['b']);
    expect(readClaims(settings, { ...idToken, groups: many } as never).groups).toHaveLength(1000);
  });

  it('a claim of the prototype is no claim', () => {
    expect(readClaims({ ...settings, groupsClaim: 'constructor' }, idToken).groups).toEqual([]);
    expect(readClaims({ ...settings, groupsClaim: '__proto__' }, idToken).groups).toEqual([]);
  });

  it('userinfo completes what the ID token says, and does not vouch for a second factor', () => {
    const read = readClaims(settings, idToken, {
      sub: 'a',
      email: ' A@Example.com ',
      email_verified: true,
      acr: 'urn:mfa',
      amr: ['mfa'],
    });
    expect(read).toMatchObject({ email: 'a@example.com', isEmailVerified: true, hasSecondFactor: false });
    expect(readClaims(settings, { ...idToken, acr: 'urn:mfa' } as never).hasSecondFactor).toBe(true);
  });

  it('half a million groups are not looked at one by one', () => {
    const groups = Array<unknown>(480_000).fill(0);
    const start = performance.now();
    expect(readClaims(settings, { ...idToken, groups } as never).groups).toEqual([]);
    expect(performance.now() - start).toBeLessThan(300);
  });

  it('what vouches for an email vouches for no other one', () => {
    const own = { email: 'a@example.com', email_verified: true };
    const others = { sub: 'a', email: 'victim@example.com' };
    expect(readClaims(settings, { ...idToken, ...own }, others)).toMatchObject({ email: 'a@example.com' });
    expect(readClaims(settings, { ...idToken, ...others }, own)).toMatchObject({ email: 'a@example.com' });
    expect(readClaims(settings, { ...idToken, email_verified: true } as never, others).isEmailVerified).toBe(
      false,
    );
  });

  it.each(['Anna@Пример.рф', 'anna@xn--e1afmkfd.xn--p1ai'])(
    'an email is known by the ASCII of its domain: %s',
    (email) => {
      const read = readClaims(settings, { ...idToken, email, email_verified: true } as never);
      expect(read).toMatchObject({ email: 'anna@xn--e1afmkfd.xn--p1ai', isEmailVerified: true });
    },
  );

  it('an email with the Kelvin sign is not the one with a k', () => {
    const read = readClaims(settings, {
      ...idToken,
      email: '\u212Aate@example.com',
      email_verified: true,
    } as never);
    expect(read).toMatchObject({ email: null, isEmailVerified: false });
  });
});
