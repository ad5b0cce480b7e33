import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { MultipartFile, readBoundary } from './multipart-file.ts';

const boundary = '----curl7f3a';

function formOf(file: Buffer, tail = `\r\n--${boundary}--\r\n`): Buffer {
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="diag.zip"\r\nContent-Type: application/zip\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), file, Buffer.from(tail)]);
}

async function read(form: Buffer, size: number) {
  const pieces: Buffer[] = [];
  for (let at = 0; at < form.length; at += size) pieces.push(form.subarray(at, at + size));
  const file = Readable.from(pieces).pipe(new MultipartFile(boundary));
  return { content: await buffer(file), isWhole: file.isWhole };
}

it('the file of a form is read however its bytes are cut', async () => {
  const content = fc.array(
    fc.oneof(fc.constant(`\r\n--${boundary.slice(0, 5)}`), fc.string(), fc.constant('\r\n--')),
    { maxLength: 6 },
  );
  await fc.assert(
    fc.asyncProperty(content, fc.integer({ min: 1, max: 60 }), async (parts, size) => {
      const file = Buffer.from(parts.join(''));
      expect(await read(formOf(file), size)).toEqual({ content: file, isWhole: true });
    }),
  );
});

it('the file of a form that ends before its boundary is not whole', async () => {
  const { isWhole } = await read(formOf(Buffer.from('some content'), ''), 7);
  expect(isWhole).toBe(false);
});

it('what is behind the file of a form is dropped', async () => {
  const tail = `\r\n--${boundary}\r\nContent-Disposition: form-data; name="other"\r\n\r\nmore\r\n--${boundary}--\r\n`;
  expect(String((await read(formOf(Buffer.from('file'), tail), 11)).content)).toBe('file');
});

it('a form whose first part has no end of its head is refused', async () => {
  await expect(
    read(Buffer.concat([Buffer.from(`--${boundary}\r\n`), Buffer.alloc(20_000, 'a')]), 1000),
  ).rejects.toThrow('no part of a form');
});

it('the boundary of a form is that of its content type, and nothing else has one', () => {
  expect(readBoundary('multipart/form-data; boundary=abc')).toBe('abc');
  expect(readBoundary('Multipart/Form-Data; charset=x; boundary="a b"')).toBe('a b');
  for (const other of [
    undefined,
    'application/json',
    'multipart/form-data',
    `multipart/form-data; boundary=${'a'.repeat(71)}`,
  ]) {
    expect(readBoundary(other)).toBeUndefined();
  }
});
