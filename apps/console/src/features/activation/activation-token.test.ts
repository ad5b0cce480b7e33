import { beforeEach, describe, expect, it } from 'vitest';
import { keepToken, keptToken, readToken } from './activation-token.ts';

beforeEach(() => sessionStorage.clear());

describe('the activation token', () => {
  it.each([
    ['abc123', 'abc123'],
    ['  abc\n123 ', 'abc123'],
    ['https://pult.example/controllers?token=abc123', 'abc123'],
    ['http://localhost:8080/controllers?x=1&token=a%2Bc#top', 'a+c'],
    ['https://pult.example/controllers?token=%E0', '%E0'],
  ])('the activation token is read from %j', (input, token) => {
    expect(readToken(input)).toBe(token);
  });

  it('the activation token is kept for this tab until it is used', () => {
    keepToken('abc');
    expect(keptToken()).toBe('abc');
    expect(localStorage.length).toBe(0);
    keepToken('');
    expect(keptToken()).toBe('');
    expect(sessionStorage.length).toBe(0);
  });
});
