import { expect, it } from 'vitest';
import { describeUserAgent } from './user-agent.ts';

const webKit = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const appleWebKit = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';

it.each([
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox', 'Linux', 'desktop'],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webKit} Chrome/126.0.0.0 Safari/537.36`,
    'Chrome',
    'Windows',
    'desktop',
  ],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webKit} Chrome/126.0.0.0 Safari/537.36 Edg/126.0.0.0`,
    'Edge',
    'Windows',
    'desktop',
  ],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webKit} Chrome/124.0.0.0 YaBrowser/24.6.0.0 Safari/537.36`,
    'Yandex Browser',
    'Windows',
    'desktop',
  ],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webKit} Chrome/140.0.0.0 Safari/537.36 OPR/122.0.0.0`,
    'Opera',
    'Windows',
    'desktop',
  ],
  [
    `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${webKit} Chrome/140.0.0.0 Safari/537.36`,
    'Chrome',
    'ChromeOS',
    'desktop',
  ],
  [
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${appleWebKit} Version/18.6 Safari/605.1.15`,
    'Safari',
    'macOS',
    'desktop',
  ],
  [
    `Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) ${appleWebKit} Version/17.5 Mobile/15E148 Safari/604.1`,
    'Safari',
    'iOS',
    'phone',
  ],
  [
    `Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) ${appleWebKit} CriOS/126.0.6478.54 Mobile/15E148 Safari/604.1`,
    'Chrome',
    'iOS',
    'phone',
  ],
  [
    `Mozilla/5.0 (iPad; CPU OS 17_5 like Mac OS X) ${appleWebKit} Version/17.5 Mobile/15E148 Safari/604.1`,
    'Safari',
    'iOS',
    'phone',
  ],
  [
    `Mozilla/5.0 (Linux; Android 15; Pixel 9) ${webKit} Chrome/140.0.0.0 Mobile Safari/537.36`,
    'Chrome',
    'Android',
    'phone',
  ],
  [
    `Mozilla/5.0 (Linux; Android 14; SM-S918B) ${webKit} SamsungBrowser/25.0 Chrome/121.0.0.0 Mobile Safari/537.36`,
    'Samsung Internet',
    'Android',
    'phone',
  ],
  ['curl/8.9.1', 'curl/8.9.1', null, 'program'],
  ['python-requests/2.32.3', 'python-requests/2.32.3', null, 'program'],
])('describes %s', (userAgent, browser, system, form) => {
  expect(describeUserAgent(userAgent)).toEqual({ browser, system, form });
});

it.each([
  '',
  'Mozilla/5.0',
  'Your account is blocked, visit evil.example/1',
  'Your account is blocked, visit evil.example/1 now',
  'evil.example/1.0',
  'https://evil.example/',
  'x'.repeat(60),
])('finds no name in %j', (userAgent) => {
  expect(describeUserAgent(userAgent)).toEqual({ browser: null, system: null, form: 'program' });
});

it('takes over no word of what a stranger writes around a name', () => {
  expect(describeUserAgent('Firefox/1 call +1 555 0100 or visit https://evil.example')).toEqual({
    browser: 'Firefox',
    system: null,
    form: 'desktop',
  });
});
