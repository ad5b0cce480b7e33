import { createHash } from 'node:crypto';
import { Transform } from 'node:stream';

/**
 * Passes on what is of that length and, where one is given, of that SHA-256. Anything else fails before its last piece has left: a
 * reader of too little would wait, and what is too much would be the next answer to whoever has the connection then.
 */
export function expectKept({ length, sha256 }: { length: number; sha256: string | undefined }): Transform {
  const hash = createHash('sha256');
  let size = 0;
  let last: Buffer | undefined;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      if (size > length) return done(new Error('the store gives more than was kept'));
      hash.update(chunk);
      const passed = last;
      last = chunk;
      done(null, passed);
    },
    flush(done) {
      if (size < length) done(new Error('the store gives less than was kept'));
      else if (sha256 !== undefined && hash.digest('hex') !== sha256)
        done(new Error('the store gives something else than was kept'));
      else done(null, last);
    },
  });
}
