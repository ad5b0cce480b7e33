import { type Agent, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { type LinkRefusal, parseRetryAfter, refusalSchema } from '@pult/link';

/** The server answered, and not with 200. */
export class ServerRefusal extends Error {
  override readonly name = 'ServerRefusal';
  readonly status: number;
  /** The server's own words; null when a proxy or another program answered. */
  readonly refusal: LinkRefusal | null;

  /** How long the server asks to wait; undefined when it does not say. */
  readonly retryAfterMs: number | undefined;

  constructor(status: number, refusal: LinkRefusal | null, retryAfterMs?: number) {
    super(refusal?.detail ?? refusal?.code ?? `the server answered ${status}`);
    this.status = status;
    this.refusal = refusal;
    this.retryAfterMs = retryAfterMs;
  }
}

interface PostOptions {
  headers?: Record<string, string>;
  ca?: string | undefined;
  agent: Agent;
  timeoutMs: number;
  signal: AbortSignal;
}

const MAX_ANSWER_BYTES = 16 * 1024;

/** Posts a JSON text and gives the parsed answer. Rejects with `ServerRefusal` or the connection's error. */
export function postJson(url: string, body: string, options: PostOptions): Promise<unknown> {
  const target = new URL(url);
  return new Promise((resolve, reject) => {
    const request = (target.protocol === 'https:' ? requestHttps : requestHttp)(target, {
      method: 'POST',
      agent: options.agent,
      ...(options.ca ? { ca: options.ca } : {}),
      headers: {
        ...options.headers,
        'Content-Type': 'application/json',
        'Content-Length': Buffer.byteLength(body),
      },
    });
    // By hand: an agent tries for months, and AbortSignal.any of Node 20 keeps what it has joined.
    const onAbort = () => request.destroy(options.signal.reason);
    options.signal.addEventListener('abort', onAbort, { once: true });
    if (options.signal.aborted) onAbort();
    const timer = setTimeout(() => request.destroy(new Error('no answer')), options.timeoutMs);
    request.on('close', () => {
      clearTimeout(timer);
      options.signal.removeEventListener('abort', onAbort);
    });
    request.on('error', reject);
    request.on('response', (response) => {
      readText(response)
        .then((text) => {
          if (response.statusCode === 200) resolve(JSON.parse(text));
          else {
            const retryAfterMs = parseRetryAfter(response.headers['retry-after']);
            reject(new ServerRefusal(response.statusCode ?? 0, parseRefusal(text), retryAfterMs));
          }
        })
        .catch((error: Error) =>
          reject(error instanceof SyntaxError ? new Error('the answer is not JSON') : error),
        );
    });
    request.end(body);
  });
}

async function readText(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response) {
    size += chunk.length;
    if (size > MAX_ANSWER_BYTES) throw new Error('the answer is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parseRefusal(text: string): LinkRefusal | null {
  try {
    return refusalSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
