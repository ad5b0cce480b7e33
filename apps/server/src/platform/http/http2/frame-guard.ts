import { Duplex } from 'node:stream';
import { FrameRules, UnlawfulFrameError, type Verdict } from './frame-rules.ts';
import { type FrameHeader, frameHeaderBytes, frameTypes, preface, readFrameHeader } from './frames.ts';
import { SentFrames } from './sent-frames.ts';

/** Frames of one connection that are taken in a turn of the event loop; the rest is for later ones. */
const framesPerTurn = 128;
/** Time a client gets to read what was said last, and to close its side, in milliseconds. */
const lingerMs = 1_000;

interface FrameGuardOptions {
  /** Time for the beginning, for the headers of a request, and for any frame but those of bodies, in milliseconds. */
  headersTimeoutMs: number;
  /** The client says that it will ask for nothing more over this connection. */
  onGoaway(): void;
  /** The connection is gone; `refused` where it was ended for what the client sent. */
  onClose(refused: Error | undefined): void;
}

/**
 * Stands between a browser's connection and nghttp2, which aborts the whole process at some frames (ADR 26): hands it one
 * frame at a time, each as a read of its own, and so many in a turn. What no browser sends ends the connection before
 * nghttp2 sees it. An end is always that of the socket first.
 */
export class FrameGuard extends Duplex {
  readonly rules = new FrameRules();
  readonly #socket: Duplex;
  readonly #options: FrameGuardOptions;
  readonly #sent = new SentFrames();
  /** What has come and was not handed on yet. */
  #bytes: Buffer = Buffer.alloc(0);
  #hasPreface = false;
  /** The one that has begun, and how many bytes of it were not handed on. */
  #frame: (FrameHeader & { verdict: Verdict; left: number }) | undefined;
  /** Whole ones, those within the headers of a request left out. */
  #wholeFrames = 0;
  #framesInTurn = 0;
  #turn: NodeJS.Immediate | undefined;
  #isHeld = false;
  #hasEnded = false;
  #isFinishing = false;
  #timer: NodeJS.Timeout | undefined;
  #timedFrame = -1;
  #refused: Error | undefined;

  constructor(socket: Duplex, options: FrameGuardOptions) {
    super();
    this.#socket = socket;
    this.#options = options;
    this.#watchTime();
    socket.on('data', (bytes: Buffer) => {
      this.#bytes = this.#bytes.length === 0 ? bytes : Buffer.concat([this.#bytes, bytes]);
      this.#work();
    });
    socket.once('end', () => {
      this.#hasEnded = true;
      this.#work();
    });
    // 'close' follows.
    socket.on('error', () => {});
    socket.once('close', () => this.destroy());
  }

  /** While it is held nothing more is read of the client. */
  hold(isHeld: boolean): void {
    if (this.#isHeld === isHeld) return;
    this.#isHeld = isHeld;
    this.#workSoon();
  }

  /** Ends the connection at once. */
  cut(refused?: Error): void {
    this.#refused ??= refused;
    this.#bytes = Buffer.alloc(0);
    this.#socket.destroy();
  }

  /** Ends the connection when what was written is out. */
  finish(): void {
    if (this.#socket.destroyed || this.#isFinishing) return;
    this.#isFinishing = true;
    this.#bytes = Buffer.alloc(0);
    this.#socket.end();
    // Of one that says nothing more, and of one that goes on.
    this.#socket.resume();
    setTimeout(() => this.#socket.destroy(), lingerMs).unref();
  }

  override _read(): void {
    this.#workSoon();
  }

  override resume(): this {
    this.#workSoon();
    return super.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.rules.creditSent(chunk.length);
    this.#sent.read(chunk);
    // What breaks the socket is told by its 'close'.
    this.#socket.write(chunk, () => done());
    // nghttp2 takes nothing more of this client.
    if (this.#sent.hasFailed) this.finish();
  }

  override _writev(chunks: { chunk: Buffer }[], done: () => void): void {
    this._write(Buffer.concat(chunks.map(({ chunk }) => chunk)), 'latin1', done);
  }

  override _final(done: () => void): void {
    this.finish();
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    clearTimeout(this.#timer);
    clearImmediate(this.#turn);
    this.#bytes = Buffer.alloc(0);
    this.#socket.destroy();
    this.#options.onClose(this.#refused);
    done(error);
  }

  /** In another turn, as somebody asks for more in the middle of being given something. */
  #workSoon(): void {
    this.#turn ??= setImmediate(() => {
      this.#turn = undefined;
      this.#framesInTurn = 0;
      this.#work();
    });
  }

  #work(): void {
    if (this.#socket.destroyed || this.destroyed) return;
    // What still comes is for nobody.
    if (this.#isFinishing) this.#bytes = Buffer.alloc(0);
    try {
      while (this.#canHandOn() && this.#takeNext());
    } catch (error) {
      if (!(error instanceof UnlawfulFrameError)) throw error;
      this.cut(error);
      return;
    }
    const canGoOn = this.#canHandOn();
    if (canGoOn) this.#socket.resume();
    else this.#socket.pause();
    this.#watchTime();
    if (this.#hasEnded && canGoOn) this.push(null);
  }

  #canHandOn(): boolean {
    // What is pushed while nobody reads would be handed on in one turn later.
    const isRead = this.readableFlowing !== false && this.readableLength === 0;
    return isRead && !this.#isHeld && !this.#socket.destroyed && this.#framesInTurn < framesPerTurn;
  }

  /** Hands on what is next; false while it is not there. */
  #takeNext(): boolean {
    if (!this.#hasPreface) return this.#takePreface();
    if (!this.#frame) {
      if (this.#bytes.length < frameHeaderBytes) return false;
      const header = readFrameHeader(this.#bytes);
      const verdict = this.rules.checkHeader(header);
      this.#frame = { ...header, verdict, left: frameHeaderBytes + header.length };
    }
    const frame = this.#frame;
    // Bodies go on as they come, all others whole.
    const isBody = frame.type === frameTypes.data;
    if (this.#bytes.length < (isBody ? 1 : frame.left)) return false;
    const piece = this.#take(Math.min(frame.left, this.#bytes.length));
    frame.left -= piece.length;
    if (frame.left === 0) {
      this.#frame = undefined;
      if (!this.rules.isWithinHeaders) this.#wholeFrames += 1;
    }
    if (isBody) this.push(piece);
    else this.#handOnWhole(frame, piece);
    return true;
  }

  #takePreface(): boolean {
    const begun = this.#bytes.subarray(0, preface.length);
    if (!begun.equals(preface.subarray(0, begun.length))) throw new UnlawfulFrameError('no preface');
    if (begun.length < preface.length) return false;
    this.#hasPreface = true;
    this.push(this.#take(preface.length));
    return true;
  }

  #handOnWhole(frame: FrameHeader & { verdict: Verdict }, bytes: Buffer): void {
    const payload = bytes.subarray(frameHeaderBytes);
    this.rules.checkPayload(frame, payload);
    if (frame.verdict === 'pass') this.push(bytes);
    else if (frame.verdict === 'goaway') {
      // nghttp2 is not told: Node would end its session in the middle of the read.
      if (payload.readUInt32BE(4) !== 0) throw new UnlawfulFrameError('a goodbye with an error');
      this.#options.onGoaway();
    }
  }

  #take(length: number): Buffer {
    const taken = this.#bytes.subarray(0, length);
    this.#bytes = this.#bytes.subarray(length);
    this.#framesInTurn += 1;
    this.#workSoon();
    return taken;
  }

  /** Whoever has begun something that is short has that long for its end. */
  #watchTime(): void {
    const hasBegun = this.#bytes.length > 0 || this.rules.isWithinHeaders;
    const isBody = this.#frame?.type === frameTypes.data;
    // The client's beginning is its settings.
    const isAwaited = this.#wholeFrames === 0 || (hasBegun && !isBody && this.#canHandOn());
    if (!isAwaited) {
      clearTimeout(this.#timer);
      this.#timer = undefined;
      return;
    }
    if (this.#timer && this.#timedFrame === this.#wholeFrames) return;
    clearTimeout(this.#timer);
    this.#timedFrame = this.#wholeFrames;
    this.#timer = setTimeout(
      () => this.cut(new UnlawfulFrameError('too slow')),
      this.#options.headersTimeoutMs,
    );
  }
}
