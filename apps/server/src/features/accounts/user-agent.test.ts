import { expect, it } from 'vitest';
import { describeUserAgent } from './user-agent.ts';

it.each([
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox, Linux'],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36',
    'Chrome, Windows',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36 Edg/126.0.0.0',
    'Edge, Windows',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 YaBrowser/24.6.0.0 Safari/537.36',
    'Yandex Browser, Windows',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
    'Safari, iOS',
  ],
  [
    'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/126.0.0.0 Mobile Safari/537.36',
    'Chrome, Android',
  ],
  ['curl/8.9.1', 'curl/8.9.1'],
  ['python-requests/2.32.3', 'python-requests/2.32.3'],
])('%s is %s', (userAgent, name) => {
  expect(describeUserAgent(userAgent)).toBe(name);
});

it.each([
  '',
  'Your account is blocked, visit evil.example/1',
  'evil.example/1.0',
  'https://evil.example/',
  'x'.repeat(60),
])('%j names nothing', (userAgent) => {
  expect(describeUserAgent(userAgent)).toBeUndefined();
});

it('takes over no word of what a stranger writes around a name', () => {
  expect(describeUserAgent('Firefox/1 call +1 555 0100 or visit https://evil.example')).toBe('Firefox');
});
