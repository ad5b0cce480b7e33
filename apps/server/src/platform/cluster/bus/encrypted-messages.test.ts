import { randomBytes } from 'node:crypto';
import { TestClock } from '@pult/testkit/in-process';
import { expect, test } from 'vitest';
import { createEncryptedMessages, maxMessageBytes } from './encrypted-messages.ts';

const key = randomBytes(32);

function createPair(otherKey = key) {
  const clock = new TestClock();
  const sender = createEncryptedMessages({ key: otherKey, getSender: () => 'one', clock });
  const receiver = createEncryptedMessages({ key, getSender: () => 'two', clock });
  const encrypt = (where: string, body: unknown) => sender.encrypt(where, body) ?? Buffer.alloc(0);
  return { clock, encrypt, open: receiver.open };
}

test('a message of a node says what it was given, and who says it', () => {
  const { encrypt, open } = createPair();
  expect(open('a', encrypt('a', { text: 'привет' }))).toEqual({ from: 'one', body: { text: 'привет' } });
});

test('a message shows nothing of what it says to whoever has no key, nor that it is said again', () => {
  const { encrypt } = createPair();
  const [one, other] = [encrypt('a', 'a token'), encrypt('a', 'a token')];
  for (const word of ['a token', 'from']) expect(one.subarray(41).includes(word)).toBe(false);
  expect(one.subarray(41).equals(other.subarray(41))).toBe(false);
});

test('a message that was told once is not believed again', () => {
  const { encrypt, open } = createPair();
  const messages = Array.from({ length: 5 }, (_, index) => encrypt('a', index));
  // One may overtake another.
  for (const index of [1, 0, 3, 2, 4])
    expect(open('a', messages[index] as Buffer)).toMatchObject({ body: index });
  for (const message of messages) expect(open('a', message)).toBe('replayed');
});

test('a message far behind the newest one is not believed', () => {
  const { encrypt, open } = createPair();
  const old = encrypt('a', 'old');
  for (let count = 0; count < 1100; count += 1) open('a', encrypt('a', count));
  expect(open('a', old)).toBe('replayed');
});

test('a message of more than half a minute ago, or ahead, is stale', () => {
  const { clock, encrypt, open } = createPair();
  const message = encrypt('a', 1);
  clock.advance(31_000);
  expect(open('a', message)).toBe('stale');
  const ahead = encrypt('a', 2);
  clock.advance(-62_000);
  expect(open('a', ahead)).toBe('stale');
});

test('a message of another key, for another subject, or with a bit changed is foreign', () => {
  const { open, encrypt } = createPair();
  expect(open('a', createPair(randomBytes(32)).encrypt('a', 1))).toBe('foreign');
  expect(open('b', encrypt('a', 1))).toBe('foreign');
  const message = encrypt('a', 1);
  for (const at of [0, 1, 24, 25, 40, 41, message.length - 1]) {
    const bent = Buffer.from(message);
    bent[at] = (bent[at] ?? 0) ^ 1;
    expect(open('a', bent)).toBe('foreign');
  }
  for (const bytes of [Buffer.alloc(0), Buffer.of(1), message.subarray(0, 40)]) {
    expect(open('a', bytes)).toBe('foreign');
  }
});

test('a message that is too long is neither encrypted nor opened', () => {
  const { open, encrypt } = createPair();
  expect(encrypt('a', 'x'.repeat(maxMessageBytes))).toHaveLength(0);
  expect(open('a', Buffer.alloc(maxMessageBytes + 1, 1))).toBe('oversized');
});
