import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { readAnew } from './read-anew.ts';

/** A shown query whose answers the test gives, one after another. */
function createFixture(queryKey: readonly string[]) {
  const client = new QueryClient();
  const answers: ((answer: string) => void)[] = [];
  const queryFn = () => new Promise<string>((resolve) => answers.push(resolve));
  const stop = new QueryObserver(client, { queryKey, queryFn }).subscribe(() => undefined);
  return { client, answers, stop };
}

test('a first answer that was given before two changes is asked for again, and once', async () => {
  const { client, answers, stop } = createFixture(['list']);
  void readAnew(client, { queryKey: ['list'] });
  void readAnew(client, { queryKey: ['list'] });
  expect(answers).toHaveLength(1);
  answers[0]?.('before the change');
  await vi.waitFor(() => expect(answers).toHaveLength(2));
  answers[1]?.('after them');
  await vi.waitFor(() => expect(client.getQueryData(['list'])).toBe('after them'));
  expect([answers.length, client.isFetching()]).toEqual([2, 0]);
  stop();
});

test('a later answer that is on its way at a change gives way to a new one at once', async () => {
  const { client, answers, stop } = createFixture(['list']);
  answers[0]?.('first');
  await vi.waitFor(() => expect(client.getQueryData(['list'])).toBe('first'));
  void readAnew(client, { queryKey: ['list'] });
  void readAnew(client, { queryKey: ['list'] });
  expect(answers).toHaveLength(3);
  answers[1]?.('before the change');
  answers[2]?.('after it');
  await vi.waitFor(() => expect(client.getQueryData(['list'])).toBe('after it'));
  expect(answers).toHaveLength(3);
  stop();
});

test('a first answer on its way to what has not changed is left alone', async () => {
  const { client, answers, stop } = createFixture(['list']);
  void readAnew(client, { queryKey: ['tree'] });
  void readAnew(client, { queryKey: ['list'], predicate: () => false });
  answers[0]?.('first');
  await vi.waitFor(() => expect(client.getQueryData(['list'])).toBe('first'));
  await Promise.resolve();
  expect(answers).toHaveLength(1);
  stop();
});
