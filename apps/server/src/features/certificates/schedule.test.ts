import { X509Certificate } from 'node:crypto';
import { testCertificate } from '@pult/testkit/certificates';
import { expect, test } from 'vitest';
import { chooseRenewal, chooseRetry } from './schedule.ts';

const now = new Date('2026-06-01T00:00:00Z');
const minutesUntil = (date: Date) => Math.round((date.getTime() - now.getTime()) / 60_000);

test('a certificate is renewed at two thirds of its life, or a little earlier', () => {
  const { validFrom, validTo } = new X509Certificate(testCertificate);
  const [from, to] = [Date.parse(validFrom), Date.parse(validTo)];
  const share = (random: number) =>
    (chooseRenewal(testCertificate, () => random).getTime() - from) / (to - from);
  expect(share(0)).toBeCloseTo(2 / 3);
  expect(share(1)).toBeCloseTo(0.6);
});

test('each failure is followed by a longer pause, up to half a day, and five an hour are never reached', () => {
  const pauses = [1, 2, 3, 4, 5, 6, 7, 100].map((failures) =>
    minutesUntil(chooseRetry(failures, { now, retryAt: undefined }, () => 0)),
  );
  expect(pauses).toEqual([5, 20, 60, 180, 360, 720, 720, 720]);
  expect(minutesUntil(chooseRetry(1, { now, retryAt: undefined }, () => 1))).toBe(6);
});

test('the authority may want a longer pause, but not one for ever', () => {
  const retry = (retryAt: Date) => minutesUntil(chooseRetry(1, { now, retryAt }, () => 0));
  expect(retry(new Date('2026-06-01T03:00:00Z'))).toBe(180);
  expect(retry(new Date('2026-06-01T00:01:00Z'))).toBe(5);
  expect(retry(new Date('2036-06-01T00:00:00Z'))).toBe(7 * 24 * 60);
});
