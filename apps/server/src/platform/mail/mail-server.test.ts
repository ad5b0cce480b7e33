import { expect, it } from 'vitest';
import { demandsTls } from './mail-server.ts';

it.each([
  ['smtp://user:password@mail.example.com', true],
  ['smtp://user:password@10.0.0.1:587', true],
  ['smtp://user:password@localhost.example.com', true],
  ['smtp://user:password@127.0.0.1.example.com', true],
  ['smtp://user:password@localhost:25', false],
  ['smtp://user:password@127.0.0.1', false],
  ['smtp://user:password@[::1]:25', false],
  ['smtp://mail.example.com', false],
  ['smtp://user:password@mail.example.com/?ignoreTLS=true', false],
  ['smtp://user:password@mail.example.com/?requireTLS=false', false],
  // Encrypted before anything is said.
  ['smtps://user:password@mail.example.com', false],
])('a login at %s demands STARTTLS: %s', (url, expected) => {
  expect(demandsTls(new URL(url))).toBe(expected);
});
