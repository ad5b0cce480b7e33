import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { createActivationToken, isActivationMac, parseActivationToken } from './activation-token.ts';

const key = randomBytes(32);
const subject = { handle: randomBytes(5), serialNumber: 'A1', publicKey: randomBytes(32), epoch: 0 };
const week = 7 * 24 * 3600 * 1000;
const start = new Date(2900 * week);

function isGood(token: string, changes: Partial<typeof subject> = {}, now = start, withKey = key): boolean {
  const { mac } = parseActivationToken(token) ?? { mac: Buffer.alloc(10) };
  return isActivationMac(withKey, { ...subject, ...changes }, mac, now);
}

it('names the enrolment it was made for', () => {
  for (let round = 0; round < 200; round += 1) {
    const handle = round === 0 ? Buffer.alloc(5) : randomBytes(5);
    const token = createActivationToken(key, { ...subject, handle }, start);
    expect(parseActivationToken(token)?.handle).toEqual(handle);
    expect(isGood(token, { handle })).toBe(true);
  }
});

it('stands for one serial number, key, epoch and server', () => {
  const token = createActivationToken(key, subject, start);
  expect(isGood(token)).toBe(true);
  expect(isGood(token, { serialNumber: 'A2' })).toBe(false);
  expect(isGood(token, { publicKey: randomBytes(32) })).toBe(false);
  expect(isGood(token, { epoch: 1 })).toBe(false);
  expect(isGood(token, {}, start, randomBytes(32))).toBe(false);
});

it('an activation token is the same all week, and good through the next one only', () => {
  const token = createActivationToken(key, subject, start);
  const at = (ms: number) => new Date(start.getTime() + ms);
  expect(createActivationToken(key, subject, at(week - 1))).toBe(token);
  expect(createActivationToken(key, subject, at(week))).not.toBe(token);
  expect(isGood(token, {}, at(2 * week - 1))).toBe(true);
  expect(isGood(token, {}, at(2 * week))).toBe(false);
  expect(isGood(token, {}, at(-1))).toBe(false);
});

it('an activation token is not read from what cannot be one', () => {
  for (const text of ['', 'A', 'A'.repeat(23), 'A'.repeat(25), `${'A'.repeat(23)}1`, `${'A'.repeat(23)}Ё`]) {
    expect([text, parseActivationToken(text)]).toEqual([text, undefined]);
  }
});
