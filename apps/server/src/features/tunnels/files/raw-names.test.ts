import { showRawBytes } from '@pult/contract';
import fc from 'fast-check';
import type { SFTPWrapper } from 'ssh2';
import { describe, expect, it } from 'vitest';
import { createNameReader, keepRawNames, readName, writeName } from './raw-names.ts';

/** “отчёт.txt” as Windows wrote it before UTF-8. */
const windows = Buffer.from([0xee, 0xf2, 0xf7, 0xb8, 0xf2, 0x2e, 0x74, 0x78, 0x74]);
const windowsName = '\uf7ee\uf7f2\uf7f7\uf7b8\uf7f2.txt';

const number = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
const string = (bytes: Buffer) => Buffer.concat([number(bytes.length), bytes]);
const packet = (type: number, ...parts: Buffer[]) =>
  string(Buffer.concat([Buffer.of(type), number(7), ...parts]));
/** With all that an answer may say of a file. */
const attributes = Buffer.concat([
  number(0x8000000f),
  Buffer.alloc(28),
  number(1),
  string(Buffer.from('a')),
  string(Buffer.from('b')),
]);
const names = (...all: Buffer[]) =>
  packet(
    104,
    number(all.length),
    ...all.flatMap((name) => [string(name), string(Buffer.from('-rw-')), attributes]),
  );

describe('a name of a file', () => {
  it('a name of a file that is no UTF-8 has a character for each such byte', () => {
    expect(readName(windows)).toBe(windowsName);
    expect(showRawBytes(windowsName)).toBe('%EE%F2%F7%B8%F2.txt');
    expect(readName(Buffer.from('отчёт 🚰.txt'))).toBe('отчёт 🚰.txt');
    expect(readName(Buffer.concat([Buffer.from('я'), windows]))).toBe(`я${windowsName}`);
  });

  it('a name of a file leads back to its bytes, whatever they are', () => {
    const part = fc.oneof(
      fc.uint8Array({ maxLength: 8 }).map((bytes) => Buffer.from(bytes)),
      fc.string({ unit: 'grapheme' }).map((text) => Buffer.from(text)),
      // A character of private use that would stand for a byte.
      fc.integer({ min: 0xf77f, max: 0xf800 }).map((code) => Buffer.from(String.fromCharCode(code))),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
        const bytes = Buffer.concat(parts);
        expect(writeName(readName(bytes))).toEqual(bytes);
        // Over JSON to the page and back.
        expect(writeName(JSON.parse(JSON.stringify(readName(bytes))))).toEqual(bytes);
      }),
    );
  });
});

describe('answers of a device', () => {
  const read = (data: Buffer, size: number): Buffer => {
    const taken: Buffer[] = [];
    const take = createNameReader((piece) => taken.push(Buffer.from(piece)));
    for (let at = 0; at < data.length; at += size) take(data.subarray(at, at + size));
    return Buffer.concat(taken);
  };
  const other = packet(103, string(Buffer.from([0xee, 0xf2, 104, 0, 0])));

  it.each([1, 2, 3, 5, 7, 64, 10_000])(
    'answers of a device in pieces of %i have their names rewritten, and nothing else',
    (size) => {
      const plain = names(Buffer.from('a'), Buffer.from('я'));
      const sent = [other, names(windows, Buffer.from('b')), plain, other, names(windows)];
      const rewritten = Buffer.from(windowsName);
      const expected = [other, names(rewritten, Buffer.from('b')), plain, other, names(rewritten)];
      expect(read(Buffer.concat(sent), size)).toEqual(Buffer.concat(expected));
    },
  );

  it.each([
    ['with fewer names than it says', packet(104, number(9), string(windows))],
    ['without an end', packet(104, number(1), string(windows), number(1000))],
    ['without anything', string(Buffer.of(104))],
    ['of no length', number(0)],
    ['longer than any', Buffer.concat([number(0xffffffff), Buffer.of(104), windows])],
  ])('answers of a device %s go on as they are', (_, bytes) => {
    expect(read(Buffer.concat([bytes, other]), 4)).toEqual(Buffer.concat([bytes, other]));
  });
});

describe('requests to a device', () => {
  /** As much of ssh2 as they go through. */
  function createSftp(room = 100_000) {
    const sent: Buffer[] = [];
    const sftp = {
      outgoing: { id: 3, window: room, packetSize: room },
      _buffer: [],
      _protocol: { channelData: (_: number, data: Buffer) => void sent.push(data) },
      push: () => {},
      rename(from: string, to: string): void {
        const asked = packet(18, string(Buffer.from(from)), string(Buffer.from(to)));
        sftp.outgoing.window -= asked.length;
        sftp._protocol.channelData(sftp.outgoing.id, asked);
      },
    };
    return { sftp, sent, kept: keepRawNames(sftp as unknown as SFTPWrapper) };
  }
  const done = () => {};

  it('requests to a device have the bytes of names, and take no more of the window', () => {
    const { sftp, sent, kept } = createSftp();
    kept.rename(`/a/${windowsName}`, '/b', done);
    kept.rename('/a', '/b', done);
    const bytes = Buffer.concat([Buffer.from('/a/'), windows]);
    const expected = packet(18, string(bytes), string(Buffer.from('/b')));
    expect(sent[0]).toEqual(expected);
    expect(sent[1]).toEqual(packet(18, string(Buffer.from('/a')), string(Buffer.from('/b'))));
    expect(sftp.outgoing.window).toBe(100_000 - Buffer.concat(sent).length);
  });

  it('requests to a device wait for room rather than go in pieces', () => {
    const { sent, kept } = createSftp(300);
    expect(() => kept.rename(windowsName, '/b', done)).toThrow('busy');
    kept.rename('/a', '/b', done);
    expect(sent).toHaveLength(1);
  });
});
