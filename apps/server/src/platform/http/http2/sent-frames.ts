import { frameHeaderBytes, frameTypes, readFrameHeader } from './frames.ts';

/** A goodbye's last stream and its reason, which is all that is looked at. */
const goawayBytes = 8;

/** Watches what nghttp2 sends, in whatever pieces, for the goodbye by which it takes nothing more: Node tells nobody of it. */
export class SentFrames {
  #head: Buffer = Buffer.alloc(0);
  #left = 0;
  #hasFailed = false;

  /** Whether a goodbye for a fault was among them. */
  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  read(bytes: Buffer): void {
    let rest = bytes;
    while (rest.length > 0) {
      const skipped = Math.min(this.#left, rest.length);
      this.#left -= skipped;
      rest = rest.subarray(skipped);
      const wanted = this.#wantedBytes();
      const taken = rest.subarray(0, wanted - this.#head.length);
      this.#head = Buffer.concat([this.#head, taken]);
      rest = rest.subarray(taken.length);
      if (this.#head.length === this.#wantedBytes()) this.#finishHead();
    }
  }

  #wantedBytes(): number {
    const isGoaway = this.#head.length >= frameHeaderBytes && this.#head[3] === frameTypes.goaway;
    return isGoaway ? frameHeaderBytes + goawayBytes : frameHeaderBytes;
  }

  #finishHead(): void {
    const { length, type } = readFrameHeader(this.#head);
    if (type === frameTypes.goaway && this.#head.readUInt32BE(frameHeaderBytes + 4) !== 0)
      this.#hasFailed = true;
    this.#left = length + frameHeaderBytes - this.#head.length;
    this.#head = Buffer.alloc(0);
  }
}
