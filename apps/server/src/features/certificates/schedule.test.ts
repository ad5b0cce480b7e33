import { X509Certificate } from 'node:crypto';
import { testCertificate } from '@pult/testkit/certificates';
import { expect, test } from 'vitest';
import { adviseRenewal, chooseNextQuestion, chooseRenewal, chooseRetry } from './schedule.ts';

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

test('a renewal that is planned within the window of the authority stays, another one goes to any time of it', () => {
  const { validFrom, validTo } = new X509Certificate(testCertificate);
  const [from, to] = [Date.parse(validFrom), Date.parse(validTo)];
  const at = (share: number) => new Date(from + (to - from) * share);
  const advise = (planned: number, start: number, end: number, random: number) => {
    const window = { start: at(start), end: at(end) };
    return (adviseRenewal(testCertificate, at(planned), window, () => random).getTime() - from) / (to - from);
  };
  expect(advise(0.65, 0.6, 0.7, 0.1)).toBeCloseTo(0.65);
  expect(advise(0.65, 0.2, 0.4, 0.5)).toBeCloseTo(0.3);
  expect(advise(0.65, 0.7, 0.8, 0.5)).toBeCloseTo(0.75);
  // Nobody's wish lets a certificate end.
  expect(advise(0.65, 0.9, 2, 0.5)).toBeCloseTo(5 / 6);
});

test('the authority is asked again when it wishes, between a minute and a day, and each six hours without a wish', () => {
  const next = (wish?: string) => minutesUntil(chooseNextQuestion(now, wish ? new Date(wish) : undefined));
  expect(next()).toBe(360);
  expect(next('2026-06-01T02:00:00Z')).toBe(120);
  expect(next('2026-06-01T00:00:01Z')).toBe(1);
  expect(next('2036-06-01T00:00:00Z')).toBe(24 * 60);
});
