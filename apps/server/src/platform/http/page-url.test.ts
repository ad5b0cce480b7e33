import { expect, it } from 'vitest';
import { pageUrl } from './page-url.ts';

const publicUrl = 'https://pult.example';

it('keeps path and query, and names the page', () => {
  const url = pageUrl(publicUrl, '/api/v1/controllers/?page=2&description=a%26b', 3);
  expect(url).toBe('https://pult.example/api/v1/controllers/?page=3&description=a%26b');
});

it.each([
  'http://evil.example/api/v1/controllers/?page=2',
  'https://evil.example:99/api/v1/controllers/',
  '//evil.example/api/v1/controllers/',
])('stays on the public URL when the request line is %s', (requestUrl) => {
  expect(new URL(pageUrl(publicUrl, requestUrl, 3)).origin).toBe(publicUrl);
});
