import { describe, expect, it } from 'vitest';
import { createTotpSecret, describeTotpSetup, findTotpStep } from './totp.ts';

// RFC 6238, appendix B: the key "12345678901234567890"; the last six of its eight digits.
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const at = (seconds: number) => new Date(seconds * 1000);

describe('a TOTP code', () => {
  it.each([
    [59, '287082', 1],
    [1111111109, '081804', 37037036],
    [1234567890, '005924', 41152263],
    [20000000000, '353130', 666666666],
  ])('a TOTP code is the one of RFC 6238 at %i s', (seconds, code, step) => {
    expect(findTotpStep(secret, code, at(seconds))).toBe(step);
  });

  it('counts one step to either side and no further', () => {
    const steps = [-31, -30, -1, 0, 29, 30, 59, 60].map((offset) =>
      findTotpStep(secret, '005924', at(1234567890 + offset)),
    );
    const step = 41152263; // begins at 1234567890
    expect(steps).toEqual([undefined, step, step, step, step, step, step, undefined]);
  });

  it.each(['', '00592', '0059240', '00592a', '-05924', '００５９２４'])('a TOTP code is not %j', (typed) => {
    expect(findTotpStep(secret, typed, at(1234567890))).toBeUndefined();
  });
});

describe('a TOTP setup', () => {
  it('a TOTP setup has a secret of 160 bits that differs each time', () => {
    expect(createTotpSecret()).toMatch(/^[A-Z2-7]{32}$/);
    expect(createTotpSecret()).not.toBe(createTotpSecret());
  });

  it('names service and account in a link, and draws it', async () => {
    const setup = await describeTotpSetup(secret, { serviceName: 'Насосы: West', email: 'a+b@example.com' });
    const uri = new URL(setup.uri);
    expect(uri.protocol + uri.host).toBe('otpauth:totp');
    expect(decodeURIComponent(uri.pathname)).toBe('/Насосы West:a+b@example.com');
    expect(Object.fromEntries(uri.searchParams)).toMatchObject({ secret, issuer: 'Насосы West' });
    const [head, data = ''] = setup.qrCode.split(',');
    expect(head).toBe('data:image/svg+xml;base64');
    expect(Buffer.from(data, 'base64').toString()).toMatch(/^<svg .*<\/svg>\s*$/s);
  });
});
