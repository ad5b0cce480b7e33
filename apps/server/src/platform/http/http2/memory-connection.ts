import { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';

/** What an HTTP server asks of the connection of a request. */
export type ClientOfConnection = Pick<TLSSocket, 'remoteAddress' | 'remotePort' | 'remoteFamily'> & {
  /** The name that the client asked for by TLS. */
  servername: string;
};

/** One end of a connection within this process. What is written to one is read from the other. */
export class MemoryConnection extends Duplex {
  #peer: MemoryConnection | undefined;
  #whenRead: (() => void) | undefined;

  static createPair(client: ClientOfConnection): { near: MemoryConnection; far: ServedConnection } {
    const near = new MemoryConnection();
    const far = new ServedConnection(client);
    near.#peer = far;
    far.#peer = near;
    return { near, far };
  }

  override _read(): void {
    const whenRead = this.#whenRead;
    this.#whenRead = undefined;
    whenRead?.();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    // Not within what the writer does: HTTP at the other end would answer before that at this one has asked to the end.
    process.nextTick(() => this.deliver(chunk, done));
  }

  protected deliver(chunk: Buffer, done: () => void): void {
    const peer = this.#peer;
    if (!peer || peer.destroyed || peer.push(chunk)) done();
    else peer.#whenRead = done;
  }

  override _final(done: () => void): void {
    if (!this.#peer?.destroyed) this.#peer?.push(null);
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    const whenRead = this.#whenRead;
    this.#whenRead = undefined;
    whenRead?.();
    // One that has said all it had to say is no cut; what it said may not have been read yet.
    if (!this.writableFinished) this.#peer?.destroy();
    done(error);
  }

  /** As sockets have it. */
  destroySoon(): void {
    if (this.writableFinished) this.destroy();
    else {
      this.once('finish', () => this.destroy());
      this.end();
    }
  }
}

/** The server's end: who is at the other one is who is at that of the connection over which the request came. */
export class ServedConnection extends MemoryConnection {
  /** As of a TLS socket. */
  readonly encrypted = true;
  readonly servername: string;
  readonly remoteAddress: string | undefined;
  readonly remotePort: number | undefined;
  readonly remoteFamily: string | undefined;

  constructor({ servername, remoteAddress, remotePort, remoteFamily }: ClientOfConnection) {
    super();
    this.servername = servername;
    this.remoteAddress = remoteAddress;
    this.remotePort = remotePort;
    this.remoteFamily = remoteFamily;
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.deliver(chunk, done);
  }
}
