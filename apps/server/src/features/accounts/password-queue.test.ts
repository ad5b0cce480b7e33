import { expect, it, vi } from 'vitest';
import { hashPassword, verifyPassword } from './password.ts';

// The hashing threads are nicer than all others: on a busy machine a hundred of them take long.
vi.setConfig({ testTimeout: 120_000 });

it('refuses what would wait too long, and no unknown account for good because its first check was refused', async () => {
  // With every thread started, as many hashes as run and wait at once; the last ones are refused. Each is followed by
  // another, so that the queue is as full when the check comes to it, however long the check took.
  await Promise.all(Array.from({ length: 4 }, () => hashPassword('x')));
  let isFull = true;
  const keepHashing = async () => {
    const first = await hashPassword('x');
    while (isFull) await hashPassword('x');
    return first;
  };
  const busy = Promise.allSettled(Array.from({ length: 110 }, keepHashing));
  await expect(verifyPassword(undefined, 'x')).rejects.toMatchObject({ code: 'service_unavailable' });
  isFull = false;
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
