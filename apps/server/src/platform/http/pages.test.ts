import { limits } from '@pult/contract';
import { expect, it } from 'vitest';
import { pageAnswer, toPage } from './pages.ts';

const publicUrl = 'https://pult.example';
const answer = (requestUrl: string, query: { page?: number; page_size?: number }, count: number) =>
  pageAnswer({ page: toPage(query), count, results: [] }, publicUrl, requestUrl);

it('takes the first page of the default size where nothing is asked for', () => {
  expect(toPage({})).toEqual({ page: 1, limit: limits.pageSizeDefault, offset: 0 });
  expect(toPage({ page: 3, page_size: 0 })).toEqual({ page: 3, limit: 25, offset: 50 });
});

it('names the pages beside it, and none where there is none', () => {
  const url = '/api/v1/controllers/';
  expect(answer(url, { page_size: 10 }, 10)).toEqual({ count: 10, next: null, previous: null, results: [] });
  expect(answer(url, { page_size: 10 }, 11).next).toBe('https://pult.example/api/v1/controllers/?page=2');
  expect(answer(url, { page: 2, page_size: 10 }, 11)).toMatchObject({
    next: null,
    previous: 'https://pult.example/api/v1/controllers/?page=1',
  });
});

it('keeps path and query, and names the page', () => {
  const { next } = answer('/api/v1/controllers/?page=2&description=a%26b', { page: 2 }, 1000);
  expect(next).toBe('https://pult.example/api/v1/controllers/?page=3&description=a%26b');
});

it.each([
  'http://evil.example/api/v1/controllers/?page=2',
  'https://evil.example:99/api/v1/controllers/',
  '//evil.example/api/v1/controllers/',
])('stays on the public URL when the request line is %s', (requestUrl) => {
  expect(new URL(answer(requestUrl, { page: 2 }, 1000).next ?? '').origin).toBe(publicUrl);
});
