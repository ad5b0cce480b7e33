import { randomBytes } from 'node:crypto';
import { TestClock } from '@pult/testkit/in-process';
import { expect, test } from 'vitest';
import { createSignedMessages, maxMessageBytes } from './signed-messages.ts';

const key = randomBytes(32);

function createPair(otherKey = key) {
  const clock = new TestClock();
  const sender = createSignedMessages({ key: otherKey, getSender: () => 'one', clock });
  const receiver = createSignedMessages({ key, getSender: () => 'two', clock });
  const sign = (where: string, body: unknown) => sender.sign(where, body) ?? Buffer.alloc(0);
  return { clock, sign, open: receiver.open };
}

test('a signed message says what it was given, and who says it', () => {
  const { sign, open } = createPair();
  expect(open('a', sign('a', { text: 'привет' }))).toEqual({ from: 'one', body: { text: 'привет' } });
});

test('a message that was told once is not believed again', () => {
  const { sign, open } = createPair();
  const messages = Array.from({ length: 5 }, (_, index) => sign('a', index));
  // One may overtake another.
  for (const index of [1, 0, 3, 2, 4])
    expect(open('a', messages[index] as Buffer)).toMatchObject({ body: index });
  for (const message of messages) expect(open('a', message)).toBe('replayed');
});

test('a message far behind the newest one is not believed', () => {
  const { sign, open } = createPair();
  const old = sign('a', 'old');
  for (let count = 0; count < 1100; count += 1) open('a', sign('a', count));
  expect(open('a', old)).toBe('replayed');
});

test('a message of more than half a minute ago, or ahead, is stale', () => {
  const { clock, sign, open } = createPair();
  const message = sign('a', 1);
  clock.advance(31_000);
  expect(open('a', message)).toBe('stale');
  const ahead = sign('a', 2);
  clock.advance(-62_000);
  expect(open('a', ahead)).toBe('stale');
});

test('a message of another key, for another subject, or with a bit changed is foreign', () => {
  const { open, sign } = createPair();
  expect(open('a', createPair(randomBytes(32)).sign('a', 1))).toBe('foreign');
  expect(open('b', sign('a', 1))).toBe('foreign');
  const message = sign('a', 1);
  for (const at of [0, 1, 32, 33, message.length - 1]) {
    const bent = Buffer.from(message);
    bent[at] = (bent[at] ?? 0) ^ 1;
    expect(open('a', bent)).toBe('foreign');
  }
  for (const bytes of [Buffer.alloc(0), Buffer.of(1), message.subarray(0, 40)]) {
    expect(open('a', bytes)).toBe('foreign');
  }
});

test('a message that is too long is neither signed nor opened', () => {
  const { open, sign } = createPair();
  expect(sign('a', 'x'.repeat(maxMessageBytes))).toHaveLength(0);
  expect(open('a', Buffer.alloc(maxMessageBytes + 1, 1))).toBe('oversized');
});
