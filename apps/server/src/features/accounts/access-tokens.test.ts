import { generateKeyPairSync } from 'node:crypto';
import { lifetimes } from '@pult/contract';
import { beforeEach, describe, expect, it } from 'vitest';
import { createAccessTokens } from './access-tokens.ts';

const keys = generateKeyPairSync('ed25519');
const session = { sessionId: 'session', userId: 'user' };
let now: number;
const clock = { now: () => new Date(now) };
const issuer = 'https://pult.example';

beforeEach(() => {
  now = Date.UTC(2026, 10, 21);
});

describe('an access token', () => {
  it('names its session until its time is over, whether or not it was asked for before', async () => {
    const tokens = createAccessTokens(keys, issuer, clock);
    const [asked, unasked] = [
      await tokens.create(session),
      await tokens.create({ ...session, sessionId: 'other' }),
    ];
    now += (lifetimes.accessToken - 1) * 1000;
    expect(await tokens.verify(asked)).toBe('session');
    expect(await tokens.verify(asked)).toBe('session');
    now += 1000;
    for (const token of [asked, asked, unasked]) expect(await tokens.verify(token)).toBeUndefined();
  });

  it('an access token is nobody else’s with one letter changed, also after the right one was seen', async () => {
    const tokens = createAccessTokens(keys, issuer, clock);
    const token = await tokens.create(session);
    expect(await tokens.verify(token)).toBe('session');
    for (const at of [5, token.indexOf('.') + 5, token.lastIndexOf('.') + 5]) {
      const forged = `${token.slice(0, at)}${token[at] === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`;
      expect(await tokens.verify(forged)).toBeUndefined();
    }
  });

  it('an access token is good for its own issuer and key alone', async () => {
    const token = await createAccessTokens(keys, issuer, clock).create(session);
    const others = generateKeyPairSync('ed25519');
    expect(await createAccessTokens(others, issuer, clock).verify(token)).toBeUndefined();
    expect(await createAccessTokens(keys, 'https://other.example', clock).verify(token)).toBeUndefined();
    expect(await createAccessTokens(keys, issuer, clock).verify('')).toBeUndefined();
  });
});
