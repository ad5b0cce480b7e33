import { TestClock } from '@pult/testkit/in-process';
import { beforeEach, expect, it } from 'vitest';
import { type Challenges, createChallenges } from './challenges.ts';

let clock: TestClock;
let challenges: Challenges;

beforeEach(() => {
  clock = new TestClock();
  challenges = createChallenges(clock);
});

it('a challenge is good once', () => {
  const nonce = challenges.create('A1');
  expect(challenges.isOpen('A1', nonce)).toBe(true);
  expect(challenges.isOpen('A1', nonce)).toBe(true);
  expect(challenges.consume('A1', nonce)).toBe(true);
  expect(challenges.isOpen('A1', nonce)).toBe(false);
  expect(challenges.consume('A1', nonce)).toBe(false);
});

it('a challenge is good for 60 s', () => {
  const nonce = challenges.create('A1');
  clock.advance(59_999);
  expect(challenges.isOpen('A1', nonce)).toBe(true);
  clock.advance(1);
  expect(challenges.isOpen('A1', nonce)).toBe(false);
  expect(challenges.consume('A1', nonce)).toBe(false);
});

it('a challenge is good for one serial number and one server', () => {
  const nonce = challenges.create('A1');
  expect(challenges.consume('A2', nonce)).toBe(false);
  expect(createChallenges(clock).consume('A1', nonce)).toBe(false);
  expect(challenges.consume('A1', nonce)).toBe(true);
});

it('a challenge is known again in another spelling of the same bytes', () => {
  const nonce = challenges.create('A1');
  expect(challenges.consume('A1', nonce)).toBe(true);
  for (const spelling of [
    `${nonce}=`,
    `${nonce}==`,
    nonce.replaceAll('-', '+').replaceAll('_', '/'),
    ` ${nonce}`,
  ]) {
    expect([spelling, challenges.consume('A1', spelling)]).toEqual([spelling, false]);
  }
});

it('a challenge cannot be made up or bent', () => {
  const nonce = challenges.create('A1');
  const bytes = Buffer.from(nonce, 'base64url');
  for (let index = 0; index < bytes.length; index += 1) {
    const bent = Buffer.from(bytes);
    bent[index] = (bent[index] ?? 0) ^ 1;
    expect(challenges.consume('A1', bent.toString('base64url'))).toBe(false);
  }
  for (const made of ['', 'x', 'A'.repeat(46), 'A'.repeat(10_000), nonce.slice(0, -2), `${nonce}AAAA`]) {
    expect(challenges.consume('A1', made)).toBe(false);
  }
  expect(challenges.consume('A1', nonce)).toBe(true);
});

it('stays used after others have expired and been forgotten', () => {
  const first = challenges.create('A1');
  challenges.consume('A1', first);
  clock.advance(30_000);
  const second = challenges.create('A1');
  challenges.consume('A1', second);
  clock.advance(31_000);
  challenges.consume('A1', challenges.create('A1'));
  expect(challenges.consume('A1', first)).toBe(false);
  expect(challenges.consume('A1', second)).toBe(false);
});
