import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { DomainError } from '../../../../platform/errors.ts';

const unpack = promisify(gunzip);

/** A whole body, unpacked. Throws `payload_too_large` beyond so many bytes, packed or not, without waiting for the rest. */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<string> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    length += piece.length;
    if (length > maxBytes) throw new DomainError('payload_too_large');
    pieces.push(piece);
  }
  const body = Buffer.concat(pieces);
  if (request.headers['content-encoding'] !== 'gzip') return body.toString('utf8');
  try {
    return (await unpack(body, { maxOutputLength: maxBytes })).toString('utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException; // of zlib
    throw new DomainError(code === 'ERR_BUFFER_TOO_LARGE' ? 'payload_too_large' : 'invalid_request');
  }
}
