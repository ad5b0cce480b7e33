import { expect, test } from 'vitest';
import { chooseProxy } from './proxy.ts';

const proxy = 'http://proxy.test:3128';
const choose = (server: string, env: Record<string, string>, setting?: string) => {
  const problems: string[] = [];
  const chosen = chooseProxy(server, setting, env, problems);
  return problems.length > 0 ? problems : chosen?.href;
};

test.each([
  ['https://a.test', { HTTPS_PROXY: proxy }, `${proxy}/`],
  ['https://a.test', { https_proxy: proxy }, `${proxy}/`],
  ['https://a.test', { HTTP_PROXY: proxy }, undefined],
  ['http://a.test', { HTTP_PROXY: proxy }, `${proxy}/`],
  ['http://a.test', { HTTPS_PROXY: proxy }, undefined],
  ['https://a.test', { HTTPS_PROXY: 'proxy.test:3128' }, `${proxy}/`],
  ['https://a.test', { HTTPS_PROXY: '' }, undefined],
  ['https://localhost:8443', { HTTPS_PROXY: proxy }, undefined],
  ['http://127.1.2.3', { HTTP_PROXY: proxy }, undefined],
  ['http://[::1]:8080', { HTTP_PROXY: proxy }, undefined],
])('the proxy for %s and %j is %s', (server, env, expected) => {
  expect(choose(server, env as Record<string, string>)).toBe(expected);
});

test.each([
  ['a.test', true],
  ['A.TEST', true],
  ['.test', true],
  ['*.test', true],
  ['other.test, a.test', true],
  ['other.test a.test:443', true],
  ['a.test:8443', false],
  ['aa.test', false],
  ['b.a.test', false],
  ['est', false],
  ['*', true],
  [',', false],
])('NO_PROXY=%s covers https://a.test: %s', (list, isCovered) => {
  expect(choose('https://a.test', { HTTPS_PROXY: proxy, NO_PROXY: list }) === undefined).toBe(isCovered);
});

test.each([
  ['http://10.1.2.3', '10.0.0.0/8', true],
  ['http://10.1.2.3', '10.1.2.3', true],
  ['http://10.1.2.3', '10.1.2.0/25:80', true],
  ['http://10.1.2.3', '11.0.0.0/8', false],
  ['http://10.1.2.3', '10.0.0.0/99', false],
  ['http://[fd00::5]:8080', 'fd00::/8', true],
  ['http://[fd00::5]:8080', 'fd00::5', true],
  ['http://[fd00::5]:8080', '[fd00::5]:8081', false],
])('the proxy of %s is taken away by NO_PROXY=%s: %s', (server, list, isCovered) => {
  expect(choose(server, { HTTP_PROXY: proxy, no_proxy: list }) === undefined).toBe(isCovered);
});

test('the setting counts before the environment, for every server, and `off` is none', () => {
  const env = { HTTPS_PROXY: 'http://other.test', NO_PROXY: '*' };
  expect(choose('https://127.0.0.1', env, proxy)).toBe(`${proxy}/`);
  expect(choose('https://a.test', { HTTPS_PROXY: proxy }, 'off')).toBeUndefined();
});

test.each(['socks5://user:secret@proxy.test', 'http://', 'http://user:sec%ret@proxy.test'])(
  '%s is refused without a word of its password',
  (text) => {
    const problem = 'must be an address like http://proxy.example.com:3128 (or https://)';
    expect(choose('https://a.test', {}, text)).toEqual([`--proxy ${problem}`]);
    expect(choose('https://a.test', { HTTPS_PROXY: text })).toEqual([`HTTPS_PROXY ${problem}`]);
  },
);
