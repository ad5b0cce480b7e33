import { connect } from 'node:net';
import { formatError } from '@pult/contract';
import { whenClosed } from '@pult/testkit';
import { createListeningServer } from '@pult/testkit/in-process';
import { expect, it } from 'vitest';

it.each([
  ['no HTTP at all', '\u0016\u0003\u0001\r\n\r\n'],
  ['a header name with a space', 'GET / HTTP/1.1\r\nhost : a\r\n\r\n'],
  ['headers past all bounds', `GET / HTTP/1.1\r\nhost: a\r\nx: ${'a'.repeat(40_000)}\r\n\r\n`],
])('answers %s by an error of the declared shape, and closes', async (_, request) => {
  await using server = await createListeningServer();
  const socket = connect(server.port, '127.0.0.1');
  socket.on('error', () => {});
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk;
  });
  socket.write(request);
  await whenClosed(socket);
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  expect(head).toMatch(/^HTTP\/1\.1 400 /);
  expect(head).toContain('content-type: application/json; charset=utf-8');
  expect(JSON.parse(body)).toEqual({ detail: formatError('invalid_request', 'ru'), code: 'invalid_request' });
});
