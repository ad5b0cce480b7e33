import { deflateRawSync } from 'node:zlib';
import { formatBlockHeader } from '../compression/blocks.ts';

/** A block with whatever lengths the test likes. */
export function block(sent: Buffer, { sentBytes = sent.length, bodyBytes = sent.length } = {}): Buffer {
  return Buffer.concat([formatBlockHeader(sentBytes, bodyBytes), sent]);
}

/** A lawful block, if nothing else is said of its body's length. */
export function deflatedBlock(body: Buffer, bodyBytes = body.length): Buffer {
  return block(deflateRawSync(body), { bodyBytes });
}

/** So many bytes of text as web interfaces have it: it shrinks to a fraction, and nothing in it repeats as a whole. */
export function makeText(bytes: number): Buffer {
  let text = '';
  for (let number = 0; text.length < bytes; number += 1) {
    const value = Math.imul(number, 2654435761) >>> 0;
    text += `<tr id="row-${number}"><td class="name">wb-mr6c_${value % 97}/K${value % 6}</td><td>${value}</td></tr>\n`;
  }
  return Buffer.from(text.slice(0, bytes));
}
