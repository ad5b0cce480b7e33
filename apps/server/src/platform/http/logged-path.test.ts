import { expect, it } from 'vitest';
import { createId, createSecretToken } from '../ids.ts';
import { loggedPath } from './logged-path.ts';

it('keeps ids and serial numbers, and neither a query nor the secret of a link', () => {
  const id = createId();
  const longestSerial = 'A'.repeat(36);
  expect(loggedPath(`/api/v1/organizations/${id}/?a=secret`)).toBe(`/api/v1/organizations/${id}/`);
  expect(loggedPath(`/controllers/${longestSerial}`)).toBe(`/controllers/${longestSerial}`);
  expect(loggedPath(`/password-reset/${id}/${createSecretToken()}/?x`)).toBe(`/password-reset/${id}/*/`);
  expect(loggedPath(`/signup/confirm/${createSecretToken()}/`)).toBe('/signup/confirm/*/');
});
