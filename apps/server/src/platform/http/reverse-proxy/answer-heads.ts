import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { ChunkLines } from './chunk-lines.ts';
import { repairHead } from './repair-head.ts';
import { UnreadableAnswerError } from './upstream-error.ts';

/** Of the head of an answer, with those of the interim ones before it. Browsers take more; Node's own limit is 16 kB. */
const maxHeadBytes = 64 * 1024;
/** For Node's parser, which gets the head with whole line ends. */
export const maxParsedHeadBytes = 2 * maxHeadBytes;

const lineFeed = 10;
const carriageReturn = 13;
const chunked = /\r\ntransfer-encoding:(?:[^\r]*[ \t,])?chunked *\r\n/i;

/** Finds one head in what comes, in whatever pieces. */
class HeadFinder {
  /** What has come of it before, where it comes in pieces. */
  #held: Buffer | undefined;
  #heldBytes = 0;
  /** What the line has so far that is being read. */
  #line: 'nothing' | 'carriageReturn' | 'text' = 'nothing';
  /** Of the heads before it, and of empty lines before them. */
  #passedBytes = 0;
  #hasSkipped = false;

  /** Whether a part of a head is here. */
  get hasBegun(): boolean {
    return this.#heldBytes > 0;
  }

  /** Whether there were empty lines before a head: some web servers send one behind the body of an answer. */
  get hasSkipped(): boolean {
    return this.#hasSkipped;
  }

  /** The head, and what follows it; undefined while it is not whole. Throws for what is none. */
  add(bytes: Buffer): { head: Buffer; rest: Buffer } | undefined {
    const begin = this.hasBegun ? 0 : countEmptyLines(bytes);
    this.#passedBytes += begin;
    if (begin > 0) this.#hasSkipped = true;
    const end = this.#findEnd(bytes, begin);
    const part = bytes.subarray(begin, end);
    if (this.#passedBytes + this.#heldBytes + part.length > maxHeadBytes)
      throw new UnreadableAnswerError('largeHead');
    if (begin === bytes.length) return undefined;
    const head = this.hasBegun || end === undefined ? this.#hold(part) : part;
    // At once: what is no HTTP may wait for an answer itself.
    if (!'HTTP'.startsWith(head.toString('latin1', 0, 4).toUpperCase()))
      throw new UnreadableAnswerError('notHttp');
    if (end === undefined) return undefined;
    this.#passedBytes += head.length;
    this.#held = undefined;
    this.#heldBytes = 0;
    this.#line = 'nothing';
    return { head, rest: bytes.subarray(end) };
  }

  #hold(part: Buffer): Buffer {
    this.#held ??= Buffer.allocUnsafeSlow(maxHeadBytes);
    part.copy(this.#held, this.#heldBytes);
    this.#heldBytes += part.length;
    return this.#held.subarray(0, this.#heldBytes);
  }

  /** Behind the first empty line, which is the last of a head. */
  #findEnd(bytes: Buffer, begin: number): number | undefined {
    for (let at = begin; at < bytes.length; at += 1) {
      const byte = bytes[at];
      if (byte === lineFeed) {
        if (this.#line !== 'text') return at + 1;
        this.#line = 'nothing';
      } else {
        const isFirst = this.#line === 'nothing';
        this.#line = byte === carriageReturn && isFirst ? 'carriageReturn' : 'text';
      }
    }
    return undefined;
  }
}

/** Their bytes. */
function countEmptyLines(bytes: Buffer): number {
  let at = 0;
  while (bytes[at] === carriageReturn || bytes[at] === lineFeed) at += 1;
  return at;
}

/** What was found out about the answer to a request. */
export interface AnswerHead {
  /** It was not clean: others could have read it in another way. Of its chunks that may be found out at its end only. */
  readonly isRepaired: boolean;
}

/**
 * Stands before Node's parser until the head of the request's answer is whole, and mends what web servers do wrong there: a clean head
 * goes on untouched, any other as it should have been. Node's own leniency would let both lengths pass, garble fields and take bytes
 * behind an answer for another one. Interim answers, which go to no browser, end here. `onFault`: there is no answer; the request
 * is to be ended.
 */
export function mendAnswerHead(request: ClientRequest, onFault: (error: Error) => void): AnswerHead {
  const answer = { isRepaired: false };
  // Beyond 2,000 fields Node would leave out the others without a word.
  request.maxHeadersCount = 0;
  request.once('socket', (connection: Duplex) => {
    // Node's own reader, which has just begun to listen.
    const parse = connection.listeners('data').at(-1) as (this: Duplex, bytes: Buffer) => void;
    const finder = new HeadFinder();

    let chunks: ChunkLines | undefined;
    let incoming: IncomingMessage | undefined;
    request.once('response', (message) => {
      incoming = message;
    });

    function read(bytes: Buffer): void {
      // Nothing more is of use, and Node's parser is gone.
      if (connection.destroyed) return;
      try {
        const found = findAnswer(bytes);
        if (!found) return;
        letGo();
        parse.call(connection, found);
      } catch (error) {
        if (!(error instanceof UnreadableAnswerError)) throw error;
        onFault(error);
      }
    }

    function readChunks(bytes: Buffer): void {
      if (!chunks || connection.destroyed || incoming?.complete) return;
      const mended = mendChunks(chunks, bytes);
      // Nothing at all would be the end to the parser.
      if (mended.length > 0) parse.call(connection, mended);
    }

    /** As `closeWith` does for what was found before the answer began. */
    function mendChunks(lines: ChunkLines, bytes: Buffer): Buffer {
      const mended = lines.mend(bytes);
      if (lines.isMended) {
        answer.isRepaired = true;
        request.shouldKeepAlive = false;
      }
      return mended;
    }

    /** What Node's parser is to read. */
    function findAnswer(bytes: Buffer): Buffer | undefined {
      let found = finder.add(bytes);
      while (found) {
        const { head, rest } = found;
        const came = head.toString('latin1');
        const { status, text } = repairHead(came);
        if (status === 101 && request.listenerCount('upgrade') === 0)
          throw new UnreadableAnswerError('unaskedSwitch');
        if (status >= 200 || status === 101) {
          answer.isRepaired = finder.hasSkipped || text !== came;
          if (status !== 101 && chunked.test(text)) chunks = new ChunkLines();
          const body = chunks ? mendChunks(chunks, rest) : rest;
          if (!answer.isRepaired && body === rest && head.length + rest.length === bytes.length) return bytes;
          return Buffer.concat([Buffer.from(text, 'latin1'), body]);
        }
        found = finder.add(rest);
      }
      return undefined;
    }

    function onEnd(): void {
      if (finder.hasBegun) onFault(new UnreadableAnswerError('cutHead'));
    }

    function letGo(): void {
      connection.on('data', chunks ? readChunks : parse);
      // Node lets go of its own reader alone.
      if (chunks) request.once('close', () => connection.off('data', readChunks));
      connection.off('data', read);
      connection.off('end', onEnd);
    }

    connection.on('data', read);
    connection.off('data', parse);
    // Before Node's own listener, which knows nothing of what has come.
    connection.prependListener('end', onEnd);
  });
  return answer;
}
