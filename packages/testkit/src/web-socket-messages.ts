import type { WebSocket } from 'ws';

interface Waiter {
  resolve: (message: WebSocketMessage) => void;
  reject: (error: Error) => void;
}

export interface WebSocketMessage {
  data: Buffer;
  isBinary: boolean;
}

/** The messages of a WebSocket in their order, none lost between two `next()`. */
export class WebSocketMessages {
  readonly #ready: WebSocketMessage[] = [];
  readonly #waiting: Waiter[] = [];
  readonly closed: Promise<{ code: number; reason: string }>;

  constructor(socket: WebSocket) {
    socket.on('message', (data, isBinary) => {
      // ws gives one Buffer with its default binaryType.
      const message = { data: data as Buffer, isBinary };
      const waiting = this.#waiting.shift();
      if (waiting) waiting.resolve(message);
      else this.#ready.push(message);
    });
    socket.on('error', () => {}); // `close` follows
    this.closed = new Promise((resolve) => {
      socket.once('close', (code, reason) => {
        for (const { reject } of this.#waiting.splice(0)) reject(new Error(`closed: ${code} ${reason}`));
        resolve({ code, reason: reason.toString() });
      });
    });
  }

  async next(): Promise<WebSocketMessage> {
    const message = this.#ready.shift();
    if (message) return message;
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
    });
  }
}
