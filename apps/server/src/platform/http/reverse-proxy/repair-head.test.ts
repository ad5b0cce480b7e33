import { expect, it } from 'vitest';
import { repairHead } from './repair-head.ts';
import type { UnreadableAnswerError } from './upstream-error.ts';

/** Lines as RFC 9112 ends them, with the empty one behind. */
const head = (...lines: string[]) => [...lines, '', ''].join('\r\n');
const ok = (...fields: string[]) => head('HTTP/1.1 200 OK', ...fields);

it.each([
  ok(),
  ok('Content-Length: 5', 'Set-Cookie: a=1', 'Set-Cookie: b=2', 'X-Empty:', 'X-Name: caf\xe9', 'x-tab: a\tb'),
  ok('content-length:5', 'server:x  '),
  ok('Transfer-Encoding:chunked'),
  ok('transfer-encoding: Chunked'),
  head('HTTP/1.0 404 Not\x01 Found\xff', 'Content-Type: text/html'),
  head('HTTP/1.1 204'),
  head('HTTP/1.1 799 '),
])('the clean head %j comes back as it was', (clean) => {
  expect(repairHead(clean).text).toBe(clean);
});

it.each([
  ['lines that end with LF', 'HTTP/1.1 200 OK\nA: 1\nB: 2\n\n', ok('A: 1', 'B: 2')],
  ['lines that end in both ways', 'HTTP/1.1 200 OK\r\nA: 1\nB: 2\r\n\n', ok('A: 1', 'B: 2')],
  ['a length twice', ok('Content-Length: 5', 'A: 1', 'content-length: 5'), ok('A: 1', 'Content-Length: 5')],
  ['a length twice in one field', ok('Content-Length: 5, 5'), ok('Content-Length: 5')],
  ['two lengths', ok('Content-Length: 5', 'Content-Length: 6', 'A: 1'), ok('A: 1')],
  ['two lengths in one field', ok('Content-Length: 5, 6'), ok()],
  ['three lengths, two of them the same', ok(...[5, 6, 5].map((bytes) => `Content-Length: ${bytes}`)), ok()],
  ['a length with a sign', ok('Content-Length: +5'), ok()],
  ['a length below nothing', ok('Content-Length: -5'), ok()],
  ['a length in hexadecimal', ok('Content-Length: 0x5'), ok()],
  ['a length of words', ok('Content-Length: five'), ok()],
  ['an empty length', ok('Content-Length:'), ok()],
  ['a length beyond all measure', ok('Content-Length: 99999999999999999999'), ok()],
  ['a length with a tab behind', ok('Content-Length: 5\t'), ok('Content-Length: 5')],
  [
    'a coding beside a length',
    ok('Content-Length: 5', 'Transfer-Encoding: chunked'),
    ok('Transfer-Encoding: chunked'),
  ],
  [
    'a coding before two lengths',
    ok('Transfer-Encoding: chunked', 'Content-Length: 5', 'Content-Length: 6'),
    ok('Transfer-Encoding: chunked'),
  ],
  ['identity', ok('Transfer-Encoding: identity'), ok()],
  [
    'identity beside a length',
    ok('Transfer-Encoding: Identity', 'Content-Length: 5'),
    ok('Content-Length: 5'),
  ],
  [
    'identity beside a coding',
    ok('Transfer-Encoding: chunked', 'Transfer-Encoding: identity'),
    ok('Transfer-Encoding: chunked'),
  ],
  ['another coding', ok('Transfer-Encoding: binary'), ok()],
  [
    'another coding beside a length',
    ok('Transfer-Encoding: gzip', 'Content-Length: 5'),
    ok('Content-Length: 5'),
  ],
  ['chunks behind another coding', ok('Transfer-Encoding: gzip, chunked'), ok('Transfer-Encoding: chunked')],
  ['chunks before identity', ok('Transfer-Encoding: chunked, identity'), ok('Transfer-Encoding: chunked')],
  ['chunks before another coding', ok('Transfer-Encoding: chunked, gzip'), ok('Transfer-Encoding: chunked')],
  [
    'chunks twice',
    ok('Transfer-Encoding: chunked', 'Transfer-Encoding: chunked'),
    ok('Transfer-Encoding: chunked'),
  ],
  [
    'chunks in a version that has none',
    head('HTTP/1.0 200 OK', 'Transfer-Encoding: chunked'),
    head('HTTP/1.0 200 OK'),
  ],
  [
    'chunks beside a length in a version that has none',
    head('HTTP/1.0 200 OK', 'Transfer-Encoding: chunked', 'Content-Length: 5'),
    head('HTTP/1.0 200 OK', 'Content-Length: 5'),
  ],
  ['chunks of no version', head('HTTP 200 OK', 'Transfer-Encoding: chunked'), head('HTTP/1.1 200')],
  [
    'chunks of a later version',
    head('HTTP/2.0 200 OK', 'Transfer-Encoding: chunked'),
    head('HTTP/1.1 200', 'Transfer-Encoding: chunked'),
  ],
  ['an empty coding beside a length', ok('Transfer-Encoding:', 'Content-Length: 5'), ok('Content-Length: 5')],
  [
    'a space before a colon',
    ok('Content-Length : 5', 'Content-Type\t : text/html'),
    ok('Content-Length: 5', 'Content-Type: text/html'),
  ],
  ['a space before the colon of a second length', ok('Content-Length: 5', 'Content-Length : 6'), ok()],
  ['a folded line', ok('A: 1', '  2', '\t3', 'B: 4'), ok('A: 1 2 3', 'B: 4')],
  ['a line folded by a tab alone', ok('A: 1', '\t', 'B: 4'), ok('A: 1 ', 'B: 4')],
  ['a length folded under its name', ok('Content-Length:', '\t5'), ok('Content-Length: 5')],
  ['a length that goes on in a folded line', ok('Content-Length: 5', '\t6'), ok()],
  [
    'a coding folded under its name',
    ok('Transfer-Encoding:', ' chunked', 'Content-Length: 5'),
    ok('Transfer-Encoding: chunked'),
  ],
  ['a folded line behind an empty value', ok('A:', ' 1'), ok('A: 1')],
  ['a length in a folded line', ok('A: 1', ' Content-Length: 5'), ok('A: 1 Content-Length: 5')],
  ['white space before the first field', ok(' A: 1', 'B: 2'), ok('B: 2')],
  ['a line without a colon', ok('what is this', 'A: 1'), ok('A: 1')],
  ['a line without a name', ok(': 1', 'A: 1'), ok('A: 1')],
  ['a name of two words', ok('My Header: 1', 'A: 1'), ok('A: 1')],
  ['a name with a control character', ok('A\x01: 1', 'B: 1'), ok('B: 1')],
  ['a name beyond ASCII', ok('Caf\xe9: 1', 'B: 1'), ok('B: 1')],
  ['what folds a line that is left out', ok('what is this', ' A: 1', 'B: 1'), ok('B: 1')],
  ['control characters in a value', ok('A: 1\x00\x01\x0b\x7f2'), ok('A: 1    2')],
  ['a lone CR in a value', ok('A: 1\rSet-Cookie: b=2'), ok('A: 1 Set-Cookie: b=2')],
  ['a first line in small letters', head('http/1.1 200 ok', 'A: 1'), head('HTTP/1.1 200', 'A: 1')],
  ['a first line with two spaces', head('HTTP/1.1  200 OK'), head('HTTP/1.1 200')],
  ['a first line without a version', head('HTTP 200 OK'), head('HTTP/1.1 200')],
  ['a first line of another version', head('HTTP/2 200 OK'), head('HTTP/1.1 200')],
  ['a first line without a space behind the status', head('HTTP/1.1 200OK'), head('HTTP/1.1 200')],
  ['a first line with a lone CR', head('HTTP/1.1 200 OK\rA: 1'), head('HTTP/1.1 200')],
])('%s: read as browsers do, and written so that all read it alike', (_, given, expected) => {
  expect(repairHead(given).text).toBe(expected);
  expect(repairHead(expected).text).toBe(expected);
});

it('a change of protocols has its line ends mended, and nothing else', () => {
  const given = 'HTTP/1.1 101 Go\nUpgrade : websocket\nContent-Length: 5\nContent-Length: 6\r\n\n';
  expect(repairHead(given)).toEqual({
    status: 101,
    text: head('HTTP/1.1 101 Go', 'Upgrade : websocket', 'Content-Length: 5', 'Content-Length: 6'),
  });
});

it.each([
  'HTTP/1.1 OK',
  'HTTP/1.1 000 Zero',
  'HTTP/1.1 042 Low',
  'HTTP/1.1 20 OK',
  'HTTP/1.1 2000 OK',
  'HTTP/1.1',
  'HTTPS',
])('a first line %j has no status', (line) => {
  expect(() => repairHead(head(line))).toThrow(
    expect.objectContaining({ fault: 'unknownStatus' } satisfies Partial<UnreadableAnswerError>),
  );
});

it('a head that comes back as it was would be written anew as it was', () => {
  const lines = [
    'HTTP/1.1 200 OK',
    'HTTP/1.0 404',
    'HTTP/1.1 799 \x01',
    'HTTP/1.1 101 Go',
    'HTTP/2 200',
    'http/1.1 200',
  ];
  const names = [
    'A',
    'A ',
    ' A',
    '',
    "x-!#$%&'*+.^_`|~",
    'Content-Length',
    'content-length',
    'Transfer-Encoding',
  ];
  const values = [
    '',
    ' ',
    ' 5',
    '\t5 ',
    '5\t',
    ' 5, 5',
    ' +5',
    ' chunked',
    '\tChunked ',
    ' gzip, chunked',
    ' \x00',
    ' \x7f',
    ' \xe9',
    ' a\rb',
  ];
  const fields = ['A', ...names.flatMap((name) => values.map((value) => `${name}:${value}`))];
  const heads = lines.flatMap((line) =>
    fields.flatMap((field) => [head(line, field), ...fields.map((other) => head(line, field, other))]),
  );
  const clean = heads.filter((whole) => repairHead(whole).text === whole);
  // Each of these has a line end that is none, so that it is written anew.
  const differing = clean.filter((whole) => repairHead(whole.replace('\r\n', '\n')).text !== whole);
  expect(clean.length).toBeGreaterThan(heads.length / 20);
  expect(differing).toEqual([]);
});
