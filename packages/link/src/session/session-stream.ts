import { ServiceError } from '../link-error.ts';
import { Inbox, START_WINDOW, StreamHead } from './inbox.ts';
import { SendQueue } from './send-queue.ts';
import type { SessionHost } from './session-host.ts';
import { SocketLike } from './socket-like.ts';
import { type Priority, priorities, StreamPace, StreamRoute } from './stream-route.ts';

const BUFFER_BYTES = 16 * 1024;
/** A piece below it is put together with its neighbours. */
const WHOLE_BYTES = 1024;

/**
 * One stream of a session, with the manners of a TCP socket: each direction ends on its own, and a cut is always an error. Each
 * direction begins with a line, the request or its answer; the stream emits `connect` when the line of the other end says so.
 */
export class SessionStream extends SocketLike {
  /** 0 until its first frame is sent: in that order streams are numbered. */
  id: number;
  /** It is one of those that may be open at a time. */
  isAdmitted = false;
  /** Of the end that has opened it. */
  readonly isOpener: boolean;
  readonly sending = new SendQueue();
  /** What it is before it has sent much. */
  openedAs: Priority;
  readonly route = new StreamRoute<SessionStream>();
  /** The other end takes so much. */
  credit = START_WINDOW;
  /** The next offset wanted. */
  received = 0;
  readonly #host: SessionHost<SessionStream>;
  readonly #onHead: (line: string) => void;
  #head: StreamHead | undefined = new StreamHead();
  readonly #inbox = new Inbox();
  #isWanted = false;
  #hasEnd = false;
  #isEndRead = false;
  #isOpen = false;
  readonly #pace = new StreamPace();
  /** This end has cut it, and says so behind its last bytes. */
  #hasCut = false;
  #whenKept: ((error?: Error) => void) | undefined;
  #whenEndSent: (() => void) | undefined;
  /** The other end has cut it, or forgotten it. */
  #isCut = false;

  /** `onHead` is told the line that the other end begins with; it answers with `connectNow`, or destroys the stream. */
  constructor(
    { id, openedAs = priorities.page }: { id: number; openedAs?: Priority },
    host: SessionHost<SessionStream>,
    onHead: (line: string) => void,
  ) {
    super({ allowHalfOpen: true, readableHighWaterMark: BUFFER_BYTES, writableHighWaterMark: 64 * 1024 });
    this.id = id;
    this.isOpener = id === 0;
    this.#host = host;
    this.openedAs = openedAs;
    this.#onHead = onHead;
  }

  /** True until the other end has accepted. */
  get connecting(): boolean {
    return !this.#isOpen && !this.destroyed;
  }

  /** What has come and waits to be read, in bytes of memory. */
  get unreadBytes(): number {
    return this.readableLength + this.#inbox.cost;
  }

  /** We take so much. */
  get creditGiven(): number {
    return this.#inbox.creditGiven;
  }

  get priority(): Priority {
    const isBulk = this.openedAs < priorities.bulk && this.#pace.isBulk;
    return isBulk ? priorities.bulk : this.openedAs;
  }

  /** Whether so many bytes more would leave at once. */
  hasRoom(bytes: number): boolean {
    return this.writableLength === 0 && this.sending.unsent === 0 && this.#host.hasRoom(this, bytes);
  }

  /** Bytes a millisecond that the line carries; 0 until that was measured. */
  get lineRate(): number {
    return this.#host.getRate(this);
  }

  /** Whether there is something that may be sent. */
  get isReady(): boolean {
    const { sending } = this;
    if (sending.unsent > 0) return sending.sent < this.credit;
    return sending.isEndUnsent;
  }

  /** True once nothing of it is of use to either end. */
  get isOver(): boolean {
    return this.#isCut || (this.destroyed && (this.sending.isDone || !this.sending.hasEnd));
  }

  /** True once all has come, and all was sent. */
  get isWhole(): boolean {
    return this.#hasEnd && this.sending.hasEnd && !this.sending.isEndUnsent;
  }

  noteSent(bytes: number, now: number): void {
    this.#pace.note(bytes, now, this.sending.unsent > 0);
    if (!this.sending.isEndUnsent && this.sending.hasEnd) this.#finish();
    this.#resetIfDue();
  }

  connectNow(): void {
    this.#isOpen = true;
    this.emit('connect');
  }

  /** The other end has cut it, or nobody will carry it on. */
  cut(cause?: Error): void {
    this.#isCut = true;
    if (!this.destroyed) this.destroy(this.#host.describeCut(cause));
    else {
      this.forget();
      this.#host.noteAcknowledged(this);
    }
  }

  /** The other end has cut it: what came before can be read, to its end if it has one, and nothing more is sent. */
  cutBehindInput(): void {
    this.flush();
    if (!this.#hasEnd || this.destroyed || this.readableEnded) {
      this.cut();
      return;
    }
    this.#isCut = true;
    this.forget();
    this.letWrite();
    this.once('end', () => this.cut());
  }

  /** The other end has all of it, and has forgotten it. */
  settle(): void {
    this.acknowledge(this.sending.written + 1);
    this.#host.noteAcknowledged(this);
  }

  /** The next bytes, in order. They are handed over by `flush`. */
  receive(piece: Buffer): void {
    this.received += piece.length;
    if (this.destroyed) return;
    if (this.#head) piece = this.#readHead(this.#head, piece);
    if (piece.length > 0) this.#inbox.add(piece);
  }

  receiveEnd(): void {
    this.received += 1;
    this.#hasEnd = true;
  }

  get hasEnd(): boolean {
    return this.#hasEnd;
  }

  /** Bytes of the head have gone by; what follows them. */
  #readHead(head: StreamHead, piece: Buffer): Buffer {
    const read = head.add(piece);
    if (read === undefined) return Buffer.alloc(0);
    this.#head = undefined;
    if (read === null) {
      this.destroy(new ServiceError('bad_answer', 'no line at the begin'));
      return Buffer.alloc(0);
    }
    this.#inbox.delivered = this.received - read.rest.length;
    this.#onHead(read.line);
    return this.destroyed ? Buffer.alloc(0) : read.rest;
  }

  /** Hands over what has come, as far as somebody reads. */
  flush(): void {
    if (this.destroyed) return;
    if (this.#isWanted) this.#handOver();
    else this.#inbox.joinSmall();
    if (this.#head && this.#hasEnd) this.cut();
  }

  #handOver(): void {
    this.#inbox.handOver((piece) => {
      this.#isWanted = false;
      // Whoever gets it may ask for more before this returns.
      if (this.push(piece)) this.#isWanted = true;
      return this.#isWanted && !this.destroyed;
    });
    if (this.destroyed) return;
    if (!this.#hasEnd) this.#renewCredit();
    else if (this.#inbox.isEmpty && !this.#isEndRead) {
      this.#isEndRead = true;
      this.push(null);
    }
  }

  #renewCredit(): void {
    const host = this.#host;
    if (this.#inbox.renewCredit(host.roundTripMs, (bytes) => host.memory.takeWindow(bytes)))
      host.sendCredit(this);
  }

  override _read(): void {
    this.#isWanted = true;
    this.#handOver();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, callback: (error?: Error) => void): void {
    this.#add(chunk);
    this.#hold(callback);
  }

  override _writev(chunks: { chunk: Buffer }[], callback: (error?: Error) => void): void {
    const size = chunks.reduce((sum, { chunk }) => sum + chunk.length, 0);
    if (size < chunks.length * WHOLE_BYTES) {
      this.#add(Buffer.concat(chunks.map(({ chunk }) => chunk)));
    } else for (const { chunk } of chunks) this.#add(chunk);
    this.#hold(callback);
  }

  #add(chunk: Buffer): void {
    if (this.#isCut) return;
    this.sending.add(chunk);
    this.#host.memory.noteKept(chunk.length);
  }

  #hold(callback: (error?: Error) => void): void {
    this.#whenKept = callback;
    this.#host.wake(this);
    this.letWrite();
  }

  /** Lets the writer go on, where there is room for more. */
  letWrite(): void {
    if (!this.#whenKept || !(this.#isCut || this.#host.mayKeep(this))) return;
    const callback = this.#whenKept;
    this.#whenKept = undefined;
    callback();
  }

  acknowledge(offset: number): void {
    const before = this.sending.kept;
    this.sending.acknowledge(offset);
    this.#host.memory.noteKept(this.sending.kept - before);
    this.letWrite();
  }

  /** The other end has everything up to there, and what was sent beyond is lost. */
  rewind(offset: number): void {
    this.acknowledge(offset);
    this.sending.rewind(offset);
    // Lost as well, where it was said.
    this.#resetIfDue();
  }

  override _final(callback: () => void): void {
    if (this.#isCut) {
      callback();
      return;
    }
    this.sending.hasEnd = true;
    this.#whenEndSent = callback;
    this.#host.wake(this);
  }

  #finish(): void {
    const callback = this.#whenEndSent;
    this.#whenEndSent = undefined;
    callback?.();
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    const isWhole = this.#isEndRead && this.isWhole && !error;
    const whenKept = this.#whenKept;
    this.#whenKept = undefined;
    this.#host.memory.giveWindowBack(this.#inbox.extraWindow);
    this.#inbox.clear();
    // A finished stream is still owed its last bytes, also where the rest of the other end's is not wanted.
    this.#hasCut = !isWhole && !this.#isCut;
    const isOwed = this.sending.hasEnd && !this.#isCut && this.sending.written <= this.credit;
    if (!isOwed) this.forget();
    this.#resetIfDue();
    this.#host.noteClosed(this);
    callback(error);
    // Whoever waits for a write is told that nothing comes of it.
    whenKept?.(error ?? new Error('the stream is closed'));
  }

  /** Tells that no more is taken, behind what is still to be sent. */
  #resetIfDue(): void {
    const isBehindAll = !this.sending.hasEnd || !this.sending.isEndUnsent;
    if (this.#hasCut && isBehindAll) this.#host.sendReset(this);
  }

  /** Nothing of it will be sent again. */
  forget(): void {
    this.#host.memory.noteKept(-this.sending.kept);
    this.sending.clear();
    this.sending.hasEnd = false;
  }
}
