import { expect, test } from 'vitest';
import { markToasted, readErrorMessages, readFieldErrors } from './error-messages.ts';
import { makeApiError } from './testing.ts';

const read = (body: unknown, contentType = 'application/json; charset=utf-8') =>
  readErrorMessages(
    makeApiError('listOrganizations', { status: 400, body, headers: { 'content-type': contentType } }),
  );

// spec: 8.09
test('spec 8: without JSON in utf-8 the error itself is the message', async () => {
  for (const type of ['text/html; charset=utf-8', 'application/json', 'application/json; charset=latin1']) {
    expect(await read({ detail: 'Hidden.' }, type)).toEqual(['listOrganizations: 400']);
  }
});

// spec: 8.10
test('spec 8: a detail is the single message', async () => {
  expect(await read({ detail: 'Only this.', code: 'x', name: ['Not this'] })).toEqual(['Only this.']);
});

// spec: 8.10
test.each([
  [['First.', 'Second.'], ['First.']],
  [[], ['Ошибка!']],
  ['', ['Ошибка!']],
])('spec 8: a detail that is the list %j is a single message all the same', async (detail, expected) => {
  expect(await read({ detail, name: ['Not this'] })).toEqual(expected);
});

// spec: 8.11
test('spec 8: otherwise the values of all fields, single or lists, are messages', async () => {
  expect(await read({ name: ['One', 'Two'], other: 'Three' })).toEqual(['One', 'Two', 'Three']);
});

// spec: 8.12
test('spec 8: the default text is the Russian word for Error!', async () => {
  expect(await read({})).toEqual(['Ошибка!']);
});

test('the messages of a refused form by its field', async () => {
  const error = makeApiError('createOrganization', { status: 400, body: { name: ['Too long.', 'Odd.'] } });
  expect(await readFieldErrors(error)).toEqual({ name: 'Too long. Odd.' });
  const other = makeApiError('createOrganization', { status: 409, body: { detail: 'Limit.' } });
  expect(await readFieldErrors(other)).toEqual({});
});

test('the reason stands at the field, though a toast tells it as well', async () => {
  const error = makeApiError('createOrganization', { status: 400, body: { name: ['Too long.'] } });
  markToasted(error);
  expect(await readFieldErrors(error)).toEqual({ name: 'Too long.' });
});
