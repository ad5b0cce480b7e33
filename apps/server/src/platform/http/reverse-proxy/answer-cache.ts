import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { RawHeaders } from './headers.ts';

/** A whole answer that is kept: status 200, the body as the upstream has encoded it. */
export interface KeptAnswer {
  /** Without those of one connection, and without a length. */
  headers: Readonly<RawHeaders>;
  body: Buffer;
  /** False once the cache has let go of it: then its body is held for its readers alone. */
  isKept(): boolean;
  /** The whole body is on its way to the browser. */
  onSent(): void;
}

/** What a cache does with one request; RFC 9111. */
export interface CacheExchange {
  /** An answer for which the upstream need not be asked. */
  readonly fresh?: KeptAnswer | undefined;
  /** Added to the request: asks the upstream whether what is kept still holds. */
  readonly condition: Readonly<RawHeaders>;
  /**
   * Looks at the upstream's answer before it passes, with its headers as the browser gets them, and may keep a copy of
   * the body that flows by. What it returns goes to the browser instead; `unconfirmed` is no answer to what was asked:
   * the upstream is to be asked again, without the condition. What others could read in another way (not `isClean`, which is
   * sure once its body has ended) is never kept, and confirms nothing.
   */
  take(
    answer: IncomingMessage,
    headers: Readonly<RawHeaders>,
    isClean: () => boolean,
  ): KeptAnswer | 'unconfirmed' | undefined;
}

/** Begins an exchange for a request, with its headers as the upstream gets them. Undefined where no cache has a part. */
export type AnswerCache = (
  request: IncomingMessage,
  headers: Readonly<RawHeaders>,
) => CacheExchange | undefined;

/** As much of a body as is handed over at once, in bytes: TLS makes a copy of what it is given. */
const pieceBytes = 64 * 1024;

function* piecesOf(body: Buffer): Generator<Buffer> {
  for (let at = 0; at < body.length; at += pieceBytes) yield body.subarray(at, at + pieceBytes);
}

/** A body as a stream that tells, as those of devices do, what waits in it that nothing else holds. */
function read({ body, isKept }: KeptAnswer): Readable {
  let left = body.length;
  const stream = Readable.from(piecesOf(body), { objectMode: false, highWaterMark: pieceBytes });
  stream.on('data', (piece: Buffer) => {
    left -= piece.length;
  });
  Object.defineProperty(stream, 'unreadBytes', { get: () => (isKept() ? 0 : left) });
  return stream;
}

/**
 * Answers a GET or HEAD with what is kept. `onStream` gets the stream of a body too large to be handed over at once.
 */
export function sendKept(
  request: Pick<IncomingMessage, 'method'>,
  response: ServerResponse,
  kept: KeptAnswer,
  onStream: (stream: Readable) => void,
): void {
  const { headers, body } = kept;
  response.sendDate = false;
  response.writeHead(200, [...headers, 'Content-Length', String(body.length)]);
  if (request.method === 'HEAD') {
    response.end();
    return;
  }
  response.on('finish', kept.onSent);
  if (body.length <= pieceBytes) {
    response.end(body);
    return;
  }
  const stream = read(kept);
  onStream(stream);
  response.on('close', () => stream.destroy());
  stream.pipe(response);
}
