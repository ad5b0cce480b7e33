import { afterEach, expect, it, vi } from 'vitest';
import { Events } from '../../platform/events/events.ts';
import { createLog } from '../../platform/log.ts';
import { createOwnChallenges } from './solvers.ts';

const log = createLog('silent');
const presented = { host: 'pult.example.com', token: 'token', keyAuthorization: 'token.thumbprint' };
const url = '/.well-known/acme-challenge/token';
const signal = new AbortController().signal;

/** Two nodes that hear each other. */
function createPair() {
  const [near, far] = [new Events(log), new Events(log)];
  near.share((topic, event) => far.publishHere(topic, event));
  return [createOwnChallenges({ events: near, log }), createOwnChallenges({ events: far, log })] as const;
}

afterEach(() => {
  vi.useRealTimers();
});

it('what one node shows an authority the others show too, for as long as that node does', async () => {
  const [near, far] = createPair();
  await near.http.present(presented, signal);
  expect([near.findAnswer(url), far.findAnswer(url)]).toEqual(['token.thumbprint', 'token.thumbprint']);
  await near.http.remove(presented);
  expect([near.findAnswer(url), far.findAnswer(url)]).toEqual([undefined, undefined]);

  await near.tlsAlpn.present(presented, signal);
  expect(near.findContext('PULT.example.com')).toBeDefined();
  await expect.poll(() => far.findContext('pult.example.com')).toBeDefined();
  await near.tlsAlpn.remove(presented);
  expect([near, far].map((each) => each.findContext('pult.example.com'))).toEqual([undefined, undefined]);
});

it('what a node has begun to show that is gone is forgotten', async () => {
  vi.useFakeTimers();
  const [near, far] = createPair();
  await near.http.present(presented, signal);
  vi.advanceTimersByTime(600_000);
  expect([near.findAnswer(url), far.findAnswer(url)]).toEqual([undefined, undefined]);
});
