import { hash } from '@node-rs/argon2';
import { expect, it, vi } from 'vitest';
import { hashPassword, verifyPassword } from './password.ts';

vi.mock('@node-rs/argon2', { spy: true });

it('refuses no unknown account for good when the very first check comes at a busy moment', async () => {
  let release = () => {};
  const isReleased = new Promise<string>((resolve) => {
    release = () => resolve('');
  });
  vi.mocked(hash).mockImplementation(() => isReleased);
  // More than run and wait at once: the last ones are refused.
  const busy = Promise.allSettled(Array.from({ length: 110 }, () => hashPassword('x')));
  vi.mocked(hash).mockReset();
  await expect(verifyPassword(undefined, 'x')).rejects.toMatchObject({ code: 'service_unavailable' });
  release();
  expect((await busy).at(-1)).toMatchObject({ status: 'rejected' });
  expect(await verifyPassword(undefined, 'x')).toBe(false);
});
