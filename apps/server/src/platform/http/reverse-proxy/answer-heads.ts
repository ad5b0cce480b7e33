import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { ChunkLines } from './chunk-lines.ts';
import { repairHead } from './repair-head.ts';
import { UnreadableAnswerError } from './upstream-error.ts';

/** Of the head of an answer, with those of the interim ones before it. Browsers take more; Node's own limit is 16 kB. */
const maxHeadBytes = 64 * 1024;
/** For Node's parser, which gets the head with whole line ends. */
export const maxParsedHeadBytes = 2 * maxHeadBytes;

const nothing = Buffer.alloc(0);
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

/** What is found out about the answer to one request. */
class Answer {
  readonly #request: ClientRequest;
  readonly #finder = new HeadFinder();
  #hasHead = false;
  #chunks: ChunkLines | undefined;
  #incoming: IncomingMessage | undefined;
  /** It was not clean: others could have read it in another way. Of its chunks that may be found out at its end only. */
  isRepaired = false;
  /** Another protocol follows. */
  isSwitch = false;

  constructor(request: ClientRequest) {
    this.#request = request;
    request.once('response', (incoming) => {
      this.#incoming = incoming;
    });
  }

  /** Whether a part of its head is here. */
  get isCut(): boolean {
    return !this.#hasHead && this.#finder.hasBegun;
  }

  /** Whether all of it has come. */
  get isWhole(): boolean {
    return this.#incoming?.complete ?? false;
  }

  /** What Node's parser is to read of these bytes. Throws for what is no answer. */
  mend(bytes: Buffer): Buffer {
    if (!this.#hasHead) return this.#findHead(bytes);
    return this.#chunks ? this.#mendChunks(this.#chunks, bytes) : bytes;
  }

  #findHead(bytes: Buffer): Buffer {
    let found = this.#finder.add(bytes);
    while (found) {
      const { head, rest } = found;
      const came = head.toString('latin1');
      const { status, text } = repairHead(came);
      this.isSwitch = status === 101;
      if (this.isSwitch && this.#request.listenerCount('upgrade') === 0)
        throw new UnreadableAnswerError('unaskedSwitch');
      if (status >= 200 || this.isSwitch) {
        this.#hasHead = true;
        this.isRepaired = this.#finder.hasSkipped || text !== came;
        if (!this.isSwitch && chunked.test(text)) this.#chunks = new ChunkLines();
        const body = this.#chunks ? this.#mendChunks(this.#chunks, rest) : rest;
        if (!this.isRepaired && body === rest && head.length + rest.length === bytes.length) return bytes;
        return Buffer.concat([Buffer.from(text, 'latin1'), body]);
      }
      found = this.#finder.add(rest);
    }
    return nothing;
  }

  /** As `closeWith` does for what was found before the answer began. */
  #mendChunks(lines: ChunkLines, bytes: Buffer): Buffer {
    const mended = lines.mend(bytes);
    if (lines.isMended) {
      this.isRepaired = true;
      this.#request.shouldKeepAlive = false;
    }
    return mended;
  }
}

/**
 * Stands before Node's parser for as long as its connection lives: each answer goes on as `Answer` has mended it. What belongs to none
 * closes the connection: the next request would get that for its own answer.
 */
class AnswerReader {
  readonly #connection: Duplex;
  /** Node's own reader. */
  #parse: (this: Duplex, bytes: Buffer) => void = () => {};
  /** What is awaited; nothing of a request is held once that is over. */
  #awaited: { answer: Answer; onFault: (error: Error) => void } | undefined;

  constructor(connection: Duplex) {
    this.#connection = connection;
    connection.on('data', this.#read);
    // Before Node's own listener, which knows nothing of what has come.
    connection.prependListener('end', this.#onEnd);
  }

  await(request: ClientRequest, answer: Answer, onFault: (error: Error) => void): void {
    const connection = this.#connection;
    const awaited = { answer, onFault };
    this.#awaited = awaited;
    request.once('close', () => {
      if (this.#awaited === awaited) this.#awaited = undefined;
    });
    // It has just begun to listen, behind this one where that is new.
    const parse = connection.listeners('data').findLast((listener) => listener !== this.#read);
    this.#parse = parse as (this: Duplex, bytes: Buffer) => void; // of the event
    connection.off('data', this.#parse);
  }

  readonly #read = (bytes: Buffer): void => {
    const connection = this.#connection;
    // Nothing more is of use, and Node's parser is gone.
    if (connection.destroyed) return;
    const awaited = this.#awaited;
    if (!awaited || awaited.answer.isWhole) {
      connection.destroy();
      return;
    }
    try {
      const mended = awaited.answer.mend(bytes);
      if (awaited.answer.isSwitch) this.#letGo();
      // Nothing at all would be the end to the parser.
      if (mended.length > 0) this.#parse.call(connection, mended);
    } catch (error) {
      if (!(error instanceof UnreadableAnswerError)) throw error;
      awaited.onFault(error);
    }
  };

  readonly #onEnd = (): void => {
    if (this.#awaited?.answer.isCut) this.#awaited.onFault(new UnreadableAnswerError('cutHead'));
  };

  /** Node goes on by itself. */
  #letGo(): void {
    const connection = this.#connection;
    connection.on('data', this.#parse);
    connection.off('data', this.#read);
    connection.off('end', this.#onEnd);
    readers.delete(connection);
  }
}

const readers = new WeakMap<Duplex, AnswerReader>();

/**
 * Mends what web servers do wrong in the answer to a request: a clean one goes on untouched, any other as it should have been. Node's own
 * leniency would let both lengths pass, garble fields and take bytes behind an answer for another one. Interim answers, which go to no
 * browser, end here. `onFault`: there is no answer; the request is to be ended. `isAlone`: its connection carries no other request, so
 * that what waits there is of its answer; any other connection that brings something before the request is closed.
 */
export function mendAnswer(
  request: ClientRequest,
  onFault: (error: Error) => void,
  { isAlone = false } = {},
): { readonly isRepaired: boolean } {
  const answer = new Answer(request);
  // Beyond 2,000 fields Node would leave out the others without a word.
  request.maxHeadersCount = 0;
  request.once('socket', (connection: Duplex) => {
    const known = readers.get(connection);
    // Node leaves it unsaid where the request has waited for the connection.
    if (known) request.reusedSocket = true;
    const isStray = !isAlone && connection.readableLength > 0;
    // Node would still read what waits in a connection that is destroyed.
    if (isStray) connection.pause();
    const reader = known ?? new AnswerReader(connection);
    readers.set(connection, reader);
    reader.await(request, answer, onFault);
    if (isStray) connection.destroy();
  });
  return answer;
}
