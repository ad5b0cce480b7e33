import { expect, it } from 'vitest';
import { hashPassword, verifyPassword } from './password.ts';

it('refuses what would wait too long, and no unknown account for good because its first check was refused', async () => {
  // More than run and wait at once: the last ones are refused.
  const busy = Promise.allSettled(Array.from({ length: 110 }, () => hashPassword('x')));
  await expect(verifyPassword(undefined, 'x')).rejects.toMatchObject({ code: 'service_unavailable' });
  const results = await busy;
  expect(results.at(0)).toMatchObject({ status: 'fulfilled', value: expect.stringMatching(/^\$argon2id\$/) });
  expect(results.at(-1)).toMatchObject({ status: 'rejected', reason: { code: 'service_unavailable' } });
  expect(results.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThanOrEqual(100);
  expect(await verifyPassword(undefined, 'x')).toBe(false);
});

it('takes the password of a hash and no other', async () => {
  const stored = await hashPassword('correct horse');
  expect(stored).toContain('$m=19456,t=2,p=1$');
  expect(await verifyPassword(stored, 'correct horse')).toBe(true);
  expect(await verifyPassword(stored, 'correct horses')).toBe(false);
  expect(await verifyPassword(undefined, 'no account has this hash')).toBe(false);
});
