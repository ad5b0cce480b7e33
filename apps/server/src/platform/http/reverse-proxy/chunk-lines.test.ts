import { expect, it } from 'vitest';
import { ChunkLines } from './chunk-lines.ts';

it.each([
  ['4\npage\n0\n\n', '4\r\npage\r\n0\r\n\r\n'],
  ['4\r\npage\r\n0\r\n\r\n', '4\r\npage\r\n0\r\n\r\n'],
  ['2\npa\n002 ; a="b"\nge\n0\nX-Trailer: 1\n\nGET', '2\r\npa\r\n002\r\nge\r\n0\r\n\r\n'],
  ['A\n\n\n\n\n\n\n\n\n\n\n\n0\n\n', 'A\r\n\n\n\n\n\n\n\n\n\n\n\r\n0\r\n\r\n'],
  ['x\n', '?'],
  ['4\npages\n', '4\r\npage?'],
  ['1234567890123\n', '?'],
  ['', ''],
])('the chunks %j come out as %j, in whatever pieces they come', (given, expected) => {
  for (const size of [1, 2, 3, given.length + 1]) {
    const lines = new ChunkLines();
    let mended = '';
    for (let at = 0; at < given.length; at += size)
      mended += lines.mend(Buffer.from(given.slice(at, at + size))).toString();
    expect(mended).toBe(expected);
  }
});

it('a line without end is refused while it goes on', () => {
  const lines = new ChunkLines();
  const pieces = Array.from({ length: 20 }, () => lines.mend(Buffer.alloc(1_000, 'a')).toString());
  expect(pieces.join('')).toBe('?');
});

it.each([
  ['4\r\npage\r\n0\r\n\r\n', false],
  ['4 \r\npage\r\n0\r\n\r\n', true],
  ['4\r\npage\n0\r\n\r\n', true],
  ['4\r\npage\r\n0\r\n\r\nmore', true],
  ['4\r\npage\r\n0\r\nX: 1\r\n\r\n', true],
])('the chunks %j are known to be mended: %j', (given, isMended) => {
  for (const size of [1, 3, given.length]) {
    const lines = new ChunkLines();
    for (let at = 0; at < given.length; at += size) lines.mend(Buffer.from(given.slice(at, at + size)));
    expect(lines.isMended).toBe(isMended);
  }
});
