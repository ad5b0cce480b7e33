import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage } from 'node:http';
import { request as sendRequest } from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';
import type { axios as acmeAxios } from 'acme-client';
import { readRetryAfter } from '../../../platform/retry-after.ts';

/** How the requests of one order go. */
export interface AcmeTransport {
  /** PEM of authorities that are trusted besides those of Node.js. */
  ca: string | undefined;
  signal: AbortSignal;
  timeoutMs: number;
}

/** The authority answered that it will not (RFC 8555, section 6.7). */
export class AcmeRefusal extends Error {
  override readonly name = 'AcmeRefusal';
  readonly status: number;
  /** The last part of the error's type, such as `rateLimited`; empty where it has none. */
  readonly type: string;
  readonly retryAt: Date | undefined;

  constructor(status: number, type: string, detail: string, retryAt: Date | undefined) {
    super(detail || `HTTP status ${status}`);
    this.status = status;
    this.type = type;
    this.retryAt = retryAt;
  }
}

/** There is no answer, or none of this protocol. */
export class AcmeFailure extends Error {
  override readonly name = 'AcmeFailure';
  readonly code: string | undefined;
  readonly isNonsense: boolean;

  constructor(message: string, options: { cause?: unknown; isNonsense?: boolean } = {}) {
    super(message, { cause: options.cause });
    this.code = (options.cause as NodeJS.ErrnoException | undefined)?.code;
    this.isNonsense = options.isNonsense ?? false;
  }
}

type Adapter = Extract<NonNullable<typeof acmeAxios.defaults.adapter>, (...args: never[]) => unknown>;

/** Far more than a chain of certificates has. */
const longestAnswer = 256 * 1024;
const longestWaitMs = 60_000;
const using = new AsyncLocalStorage<AcmeTransport>();

/**
 * Under the library, instead of its own requests: those have no time limit, take answers of any length, wait for days where the
 * authority says so, and lose what it says by its errors. It is the library's one HTTP client that is told, so each order brings its
 * own transport along.
 */
export const acmeAdapter: Adapter = async (config) => {
  const transport = using.getStore();
  if (!transport) throw new Error('a request of ACME without a transport');
  const { url, method, data: body } = config;
  const answer = await exchange({ url, method, data: body, headers: config.headers.toJSON() }, transport);
  const data = parseBody(answer);
  const problem = typeof data === 'object' && data !== null ? (data as Record<string, unknown>) : {};
  const type = String(problem.type ?? '').replace(/^urn:ietf:params:acme:error:/, '');
  if (answer.status >= 300) {
    // The library asks once more with the nonce that came with it.
    if (type === 'badNonce') return { ...answer, data, config, statusText: '' };
    throw new AcmeRefusal(answer.status, type, String(problem.detail ?? ''), readRetryAt(answer));
  }
  return { ...answer, data, config, statusText: '' };
};

/** What an address of the authority answers to anybody; throws as the others. */
export async function askAcme(url: string): Promise<{ data: unknown; retryAt: Date | undefined }> {
  const transport = using.getStore();
  if (!transport) throw new Error('a request of ACME without a transport');
  const answer = await exchange({ url, method: 'get', headers: {} }, transport);
  if (answer.status !== 200) throw new AcmeRefusal(answer.status, '', '', readRetryAt(answer));
  return { data: parseBody(answer), retryAt: readRetryAt(answer) };
}

export function withTransport<T>(transport: AcmeTransport, work: () => Promise<T>): Promise<T> {
  return using.run(transport, work);
}

interface RawAnswer {
  status: number;
  headers: Record<string, string>;
  text: string;
}

interface Sent {
  url: string | undefined;
  method: string | undefined;
  headers: object;
  data?: unknown;
}

function exchange({ url = '', method = 'get', headers, data: body }: Sent, transport: AcmeTransport) {
  const { signal, ca, timeoutMs } = transport;
  return new Promise<RawAnswer>((resolve, reject) => {
    const target = URL.canParse(url) ? new URL(url) : undefined;
    if (target?.protocol !== 'https:') {
      reject(new AcmeFailure('it named an address that is none of https', { isNonsense: true }));
      return;
    }
    const sent = sendRequest(target, {
      method: method.toUpperCase(),
      headers: { ...headers, 'accept-encoding': 'identity', connection: 'close' } as Record<string, string>,
      agent: false,
      signal,
      ...(ca === undefined ? {} : { ca }),
    });
    const timer = setTimeout(
      () => sent.destroy(new Error(`no answer within ${timeoutMs / 1000} s`)),
      timeoutMs,
    );
    const fail = (error: unknown) =>
      reject(
        error instanceof AcmeFailure ? error : new AcmeFailure((error as Error).message, { cause: error }),
      );
    sent.on('close', () => clearTimeout(timer));
    sent.on('error', fail);
    sent.on('response', (response) => {
      readAll(response).then(
        (text) => resolve({ status: response.statusCode ?? 0, headers: flatten(response.headers), text }),
        (error: unknown) => {
          sent.destroy();
          fail(error);
        },
      );
    });
    sent.end(typeof body === 'string' ? body : undefined);
  });
}

async function readAll(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > longestAnswer) throw new AcmeFailure('its answer has no end', { isNonsense: true });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function flatten(headers: IncomingMessage['headers']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')]),
  );
}

function parseBody({ headers, text }: RawAnswer): unknown {
  // To HEAD there is the type of a body, and none.
  if (text === '' || !/json/.test(headers['content-type'] ?? '')) return text;
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new AcmeFailure('its answer is no JSON', { cause: error, isNonsense: true });
  }
}

function readRetryAt({ headers }: RawAnswer): Date | undefined {
  return readRetryAfter(headers['retry-after'], new Date());
}

/** Asks again and again, less and less often, until `isOver`. */
export async function pollAcme<T>(
  ask: () => Promise<T>,
  isOver: (answer: T) => boolean,
  { signal }: Pick<AcmeTransport, 'signal'>,
): Promise<T> {
  for (let waitMs = 250; ; waitMs = Math.min(waitMs * 1.5, longestWaitMs / 12)) {
    const answer = await ask();
    if (isOver(answer)) return answer;
    await delay(waitMs, undefined, { signal });
  }
}
