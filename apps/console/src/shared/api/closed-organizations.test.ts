import { expect, test } from 'vitest';
import { isClosed } from './closed-organizations.ts';

const without = { totpEnabled: false };
const on = { TOTP_AUTH_ENABLED: true };

test('an organization that requires a second factor is closed to one who has none', () => {
  expect(isClosed({ totpRequired: true }, { user: without, environments: on })).toBe(true);
  expect(isClosed({ totpRequired: true }, { user: { totpEnabled: true }, environments: on })).toBe(false);
  expect(isClosed({ totpRequired: false }, { user: without, environments: on })).toBe(false);
});

test('a server without second factors closes nothing', () => {
  const environments = { TOTP_AUTH_ENABLED: false };
  expect(isClosed({ totpRequired: true }, { user: without, environments })).toBe(false);
});
