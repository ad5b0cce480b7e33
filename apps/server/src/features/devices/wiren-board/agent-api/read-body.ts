import type { IncomingMessage } from 'node:http';
import { DomainError } from '../../../../platform/errors.ts';

/** A whole body. Throws `payload_too_large` beyond so many bytes, without waiting for the rest. */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<string> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    length += piece.length;
    if (length > maxBytes) throw new DomainError('payload_too_large');
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}
