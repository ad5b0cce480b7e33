import { createDeferred } from '@pult/testkit/in-test';
import { expect, it, vi } from 'vitest';
import { DomainError } from '../../platform/errors.ts';
import { createSignInChecks } from './sign-in-checks.ts';

/** Sessions of these organizations' providers are due, the first one for the longest time. */
function prepare(due: readonly string[], check: (organizationId: string) => Promise<undefined>) {
  const sessions = due.map((organizationId, index) => ({
    id: String(index),
    identityId: String(index),
    organizationId,
    issuer: organizationId,
    checkedAt: new Date(),
  }));
  const asked: string[] = [];
  const log = { error: vi.fn() };
  const core = {
    log,
    clock: { now: () => new Date() },
    encryptor: { decrypt: () => 'token' },
    events: { publish: () => undefined },
  };
  const own = {
    repository: {
      listDue: async () => sessions,
      get: async (id: string) => sessions.find((session) => session.id === id),
      end: async () => undefined,
    },
    providers: { find: async (organizationId: string) => ({ organizationId, issuer: organizationId }) },
    client: {
      check: ({ organizationId }: { organizationId: string }) => {
        asked.push(organizationId);
        return check(organizationId);
      },
    },
    noteFailure: (_: unknown, error: unknown) => Promise.reject(error),
  };
  // Nothing is confirmed, so nothing else is used.
  type Given = Parameters<typeof createSignInChecks>;
  const checks = createSignInChecks(core as unknown as Given[0], own as unknown as Given[1]);
  return { run: checks.run, asked, log };
}

it('a provider that says nothing does not hold up the others, and has two questions at once', async () => {
  const silence = createDeferred();
  const due = [...Array<string>(12).fill('silent'), 'good'];
  const { run, asked } = prepare(due, async (name) => {
    if (name === 'good') return undefined;
    await silence.promise;
    throw new DomainError('provider_unavailable', 'silent');
  });
  const running = run();
  await vi.waitFor(() => expect(asked).toContain('good'));
  expect(asked.filter((name) => name === 'silent')).toHaveLength(2);
  silence.resolve();
  await running;
  expect(asked.filter((name) => name === 'silent')).toHaveLength(2);
});

it('an answer that fails ends the turn of a provider for nobody else', async () => {
  const { run, asked } = prepare(Array<string>(5).fill('strange'), async () => {
    throw new DomainError('sign_in_refused', 'answer_refused');
  });
  await run();
  expect(asked).toHaveLength(5);
});

it('an error with one session is logged, and the others are looked at', async () => {
  let count = 0;
  const { run, asked, log } = prepare(Array<string>(5).fill('a'), async () => {
    count += 1;
    if (count === 1) throw new Error('broken');
    return undefined;
  });
  await run();
  expect(asked).toHaveLength(5);
  expect(log.error).toHaveBeenCalledOnce();
});
