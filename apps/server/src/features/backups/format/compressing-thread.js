/** What a thread of members.ts does. JavaScript, because a thread is started from a file and not from a bundle's text. */
import { gzipSync } from 'node:zlib';
import { move } from 'piscina';

/** @param {{ bytes: ArrayBuffer, length: number }} task */
export const compress = ({ bytes, length }) => {
  const member = gzipSync(new Uint8Array(bytes, 0, length), { level: 1 });
  // A copy of its own: what zlib returns may be a part of something larger.
  return move(new Uint8Array(member).buffer);
};
