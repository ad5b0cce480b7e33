import { setTimeout as delay } from 'node:timers/promises';
import type { NodeStream } from '../../../platform/cluster/link/node-link.ts';

/** What is known here of a device that another node holds, for as long as it holds it. */
export interface RemoteLink {
  readonly node: string;
  /** Its link was cut, and may go on. */
  readonly isWaiting: boolean;
  /** Milliseconds that it will still be waited for. */
  getWait(): number | undefined;
  readonly isOver: boolean;
  /** Resolves when the other node holds it no longer, or is not reached any more. */
  readonly closed: Promise<void>;
  /** Whether it is over, given a moment: what has cut a stream may be told a moment later. */
  isLost(): Promise<boolean>;
  leave(): void;
}

const lostWithinMs = 100;
const maxLineBytes = 1024;

/** Follows what the holder says of the link. `onWaiting` is told whenever `isWaiting` changes. */
export function watchHolder(node: string, stream: NodeStream, onWaiting: () => void): RemoteLink {
  let waitsUntil: number | undefined;
  let isOver = false;
  let text = '';
  const closed = new Promise<void>((resolve) => {
    const end = () => {
      isOver = true;
      stream.destroy();
      resolve();
    };
    stream.once('end', end);
    stream.once('close', end);
    stream.once('error', end);
    if (stream.destroyed) end(); // what it had to say of that is over
  });

  function take(line: string): void {
    const [word, wait] = line.split(' ');
    if (word === 'waiting') waitsUntil = performance.now() + Number(wait);
    else if (word === 'back') waitsUntil = undefined;
    else return;
    onWaiting();
  }

  stream.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
    const lines = text.split('\n');
    text = lines.pop() ?? '';
    for (const line of lines) take(line);
    if (text.length > maxLineBytes) stream.destroy();
  });

  return {
    node,
    get isWaiting() {
      return waitsUntil !== undefined;
    },
    getWait: () => (waitsUntil === undefined ? undefined : Math.max(0, waitsUntil - performance.now())),
    get isOver() {
      return isOver;
    },
    closed,
    async isLost() {
      const patience = new AbortController();
      await Promise.race([
        closed,
        delay(lostWithinMs, undefined, { signal: patience.signal }).catch(() => {}),
      ]);
      patience.abort();
      return isOver;
    },
    leave: () => stream.destroy(),
  };
}
