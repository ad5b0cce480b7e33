import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createBoundLookup, type ResolveName } from './bound-lookup.ts';
import { createFetchStranger } from './fetch-stranger.ts';

it('names of strangers leave threads to others', async () => {
  const countLookUps = () =>
    process.getActiveResourcesInfo().filter((name) => name === 'GetAddrInfoReqWrap').length;
  const fetch = createFetchStranger({ allowsPrivate: false });
  const before = countLookUps();
  const answers = Array.from({ length: 5 }, (_, index) => fetch(`http://${index}.invalid/`, {}));
  expect(countLookUps() - before).toBe(2);
  for (const { status } of await Promise.allSettled(answers)) expect(status).toBe('rejected');
});

describe('look-ups that are bound', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('a name waits for the one before, and not for long', () => {
    const answers: (() => void)[] = [];
    const resolve = createBoundLookup((name, _options, callback) => {
      answers.push(() => callback(null, [{ address: name, family: 4 }]));
    });
    const ends: unknown[] = [];
    const note: Parameters<ResolveName>[2] = (error, [first]) => ends.push(error?.code ?? first?.address);
    for (const name of ['a', 'b', 'c', 'd']) resolve(name, { all: true }, note);
    expect(answers).toHaveLength(2);
    answers[0]?.();
    expect(answers).toHaveLength(3);
    vi.advanceTimersByTime(5000);
    expect(ends).toEqual(['a', 'EAI_AGAIN']);
    answers[1]?.();
    answers[2]?.();
    expect(answers).toHaveLength(3);
    resolve('e', { all: true }, note);
    answers[3]?.();
    expect(ends).toEqual(['a', 'EAI_AGAIN', 'b', 'c', 'e']);
  });
});
