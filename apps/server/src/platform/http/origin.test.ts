import type { IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { isForeignOrigin, isForeignRequest, isSameOrigin } from './origin.ts';

const own = 'https://pult.example.com';

it.each([
  [{ origin: own }, true, false],
  [{ 'sec-fetch-site': 'same-origin' }, true, false],
  [{ origin: own, 'sec-fetch-site': 'cross-site' }, true, false],
  // A client that is no browser: not ours for certain, not foreign for certain.
  [{}, false, false],
  [{ 'sec-fetch-site': 'none' }, false, false],
  [{ origin: 'null' }, false, true],
  [{ origin: '' }, false, true],
  [{ origin: 'http://pult.example.com' }, false, true],
  [{ origin: 'https://pult.example.com:444' }, false, true],
  [{ origin: 'https://pult.example.com.evil.example' }, false, true],
  [{ origin: 'https://a1.http.pult.example.com' }, false, true],
  [{ origin: 'https://PULT.example.com' }, false, true],
  [{ origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' }, false, true],
  [{ 'sec-fetch-site': 'same-site' }, false, true],
  [{ 'sec-fetch-site': 'cross-site' }, false, true],
])('tells whose page made a request with %j', (headers, isSame, isForeign) => {
  expect([isSameOrigin(headers, own), isForeignOrigin(headers, own)]).toEqual([isSame, isForeign]);
});

it.each<[Record<string, string>, boolean]>([
  [{ 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }, false],
  [{ 'sec-fetch-site': 'same-origin' }, false],
  [{ 'sec-fetch-site': 'same-site' }, true],
  [{ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }, true],
  [{ 'sec-fetch-site': 'none' }, true],
  [{ 'sec-fetch-site': 'same-origin, same-origin' }, true],
  [{ 'sec-fetch-mode': 'navigate' }, true],
  [{}, true],
])('a form without an origin of its own, with %j, is foreign: %j', (fetched, isForeign) => {
  for (const method of ['POST', 'GET']) {
    const request = { method, headers: { origin: 'null', ...fetched } } as unknown as IncomingMessage; // all that is read
    expect(isForeignRequest(request, own)).toBe(isForeign);
  }
});
