import type { Duplex } from 'node:stream';
import { z } from 'zod';

/** Messages of frp, version 1: a byte that says which, eight with the length of what follows, big-endian, and JSON. */
export const messageTypes = {
  login: 'o',
  loginAnswer: '1',
  newProxy: 'p',
  newProxyAnswer: '2',
  closeProxy: 'c',
  ping: 'h',
  pong: '4',
  requestWork: 'r',
  newWork: 'w',
  startWork: 's',
} as const;

/** What frpc says, as far as it is looked at; it may leave out whatever is empty. */
export const loginSchema = z.object({
  version: z.string().max(64).default(''),
  user: z.string().max(64).default(''),
  privilege_key: z.string().max(64).default(''),
  timestamp: z.int().default(0),
  run_id: z.string().max(64).default(''),
});
export type LoginMessage = z.output<typeof loginSchema>;

export const newProxySchema = z.object({
  proxy_name: z.string().max(256),
  proxy_type: z.string().max(32).default(''),
});

export const newWorkSchema = z.object({ run_id: z.string().max(64).default('') });

export interface Message {
  type: string;
  body: unknown;
}

/** What came is no message. */
class MessageFormatError extends Error {}

/** A stream ended, or was silent for too long, before its first message. */
export class NoMessageError extends Error {}

const HEAD_BYTES = 9;
/** frp's own limit. */
const MAX_BODY_BYTES = 10_240;

export function formatMessage(type: string, body: object): Buffer {
  const text = Buffer.from(JSON.stringify(body));
  const head = Buffer.alloc(HEAD_BYTES);
  head.write(type, 0, 'latin1');
  head.writeBigInt64BE(BigInt(text.length), 1);
  return Buffer.concat([head, text]);
}

/** Reads messages from bytes, however they are cut. Keeps one message at most. */
export class MessageReader {
  #input: Buffer = Buffer.alloc(0);

  /** Takes what has come. */
  add(bytes: Buffer): void {
    this.#input = this.#input.length === 0 ? bytes : Buffer.concat([this.#input, bytes]);
  }

  /** The next message; undefined until it is whole. Throws MessageFormatError. */
  next(): Message | undefined {
    const input = this.#input;
    if (input.length < HEAD_BYTES) return this.#keep();
    const length = input.readBigInt64BE(1);
    if (length < 0n || length > MAX_BODY_BYTES) throw new MessageFormatError('a message of a wrong length');
    const end = HEAD_BYTES + Number(length);
    if (input.length < end) return this.#keep();
    this.#input = input.subarray(end);
    return { type: input.toString('latin1', 0, 1), body: parseJson(input.toString('utf8', HEAD_BYTES, end)) };
  }

  /** A copy: the rest of what was read shall not be kept for a few bytes. */
  #keep(): undefined {
    if (this.#input.length > 0) this.#input = Buffer.from(this.#input);
    return undefined;
  }

  /** Takes what has come behind the last message. */
  takeRest(): Buffer {
    const rest = this.#input;
    this.#input = Buffer.alloc(0);
    return rest;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new MessageFormatError('a message that is no JSON');
  }
}

/** The first message of a stream; what follows it is left to be read. Rejects where none comes in time. */
export function readFirstMessage(stream: Duplex, timeoutMs: number): Promise<Message> {
  const reader = new MessageReader();
  return new Promise((resolve, reject) => {
    const settle = (finish: () => void) => {
      clearTimeout(timer);
      stream.off('data', onData).off('end', onEnd).off('close', onEnd);
      finish();
    };
    const fail = (error: Error) => settle(() => reject(error));
    const onEnd = () => fail(new NoMessageError('ended before its first message'));
    const onData = (bytes: Buffer) => {
      try {
        reader.add(bytes);
        const message = reader.next();
        if (!message) return;
        settle(() => {
          stream.pause();
          const rest = reader.takeRest();
          if (rest.length > 0) stream.unshift(rest);
          resolve(message);
        });
      } catch (error) {
        fail(error as Error); // a MessageFormatError
      }
    };
    const timer = setTimeout(() => fail(new NoMessageError('no message in time')), timeoutMs);
    stream.on('data', onData).once('end', onEnd).once('close', onEnd);
  });
}
