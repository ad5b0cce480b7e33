import { expect, it } from 'vitest';
import { createPasswordHashing } from './password.ts';

it('refuses what would wait too long, and no unknown account for good because its first check was refused', async () => {
  // The hashing threads are nicer than all others: on a busy machine the hundred of a server's own queue take minutes.
  const passwords = createPasswordHashing({ maxThreads: 1, maxQueue: 3 });
  await passwords.hashPassword('x');
  // As many hashes as run and wait at once; the last ones are refused. Each is followed by another, so that the queue is
  // as full when the check comes to it, however long the check took.
  let isFull = true;
  const keepHashing = async () => {
    const first = await passwords.hashPassword('x');
    while (isFull) await passwords.hashPassword('x');
    return first;
  };
  const busy = Promise.allSettled(Array.from({ length: 6 }, keepHashing));
  await expect(passwords.verifyPassword(undefined, 'x')).rejects.toMatchObject({
    code: 'service_unavailable',
  });
  isFull = false;
  const hashed = { status: 'fulfilled', value: expect.stringMatching(/^\$argon2id\$/) };
  const refused = { status: 'rejected', reason: { code: 'service_unavailable' } };
  expect(await busy).toMatchObject([hashed, hashed, hashed, hashed, refused, refused]);
  expect(await passwords.verifyPassword(undefined, 'x')).toBe(false);
});

it('takes the password of a hash and no other', async () => {
  const { hashPassword, verifyPassword } = createPasswordHashing();
  const stored = await hashPassword('correct horse');
  expect(stored).toContain('$m=19456,t=2,p=1$');
  expect(await verifyPassword(stored, 'correct horse')).toBe(true);
  expect(await verifyPassword(stored, 'correct horses')).toBe(false);
  for (const none of [undefined, '']) {
    expect(await verifyPassword(none, 'no account has this hash')).toBe(false);
  }
});
