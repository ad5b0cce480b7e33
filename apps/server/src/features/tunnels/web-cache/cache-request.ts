import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { RawHeaders } from '../../../platform/http/reverse-proxy/headers.ts';

/** What a cache has to know of a request, with its headers as the device gets them. */
export interface CacheRequest {
  method: string;
  /** With its query. */
  path: string;
  /** Those that the device is told, its own and that of the browser; an answer may name them. */
  host: string;
  /** One word for the codings that the browser takes. */
  codings: string;
  headers: ReadonlyMap<string, string>;
  hasAuthorization: boolean;
  /** The browser has an answer of its own, and asks whether that still holds. */
  isConditional: boolean;
  /** Whether its answer may be kept for others: nothing in it that a browser would not send by itself. */
  readonly isOrdinary: boolean;
  /** The same for two requests whose person is the same to the device. */
  person(): string;
}

/** Answers to them are of one moment, of a part, or depend on what the browser has. */
const notCached = ['range', 'if-range', 'if-match', 'if-unmodified-since', 'upgrade'];
const conditions = ['if-none-match', 'if-modified-since'];
/**
 * What browsers send by themselves with a request for a page or a part of it. Whatever else a request holds, devices
 * may answer by it and not say so: such an answer is for nobody else.
 */
const ordinary = new Set([
  ...conditions,
  'accept',
  'accept-encoding',
  'accept-language',
  'authorization',
  'cache-control',
  'cookie',
  'dnt',
  'host',
  'origin',
  'pragma',
  'priority',
  'referer',
  'save-data',
  'upgrade-insecure-requests',
  'user-agent',
  // By this server, of every request.
  'x-forwarded-for',
  'x-forwarded-proto',
  'x-forwarded-host',
  // By what stands before this server, of every request.
  'cdn-loop',
  'traceparent',
  'tracestate',
  'via',
  'x-amzn-trace-id',
  'x-request-id',
]);
const isOrdinary = (name: string) => ordinary.has(name) || /^(sec-(ch|fetch|gpc|purpose)|cf-)/.test(name);

const known = ['br', 'deflate', 'gzip', 'zstd'];

/** Undefined where it cannot be said in one of those words. */
function readCodings(header = ''): string | undefined {
  const taken = new Set<string>();
  for (const part of header.toLowerCase().split(',')) {
    const [coding = '', weight] = part.split(';').map((word) => word.trim());
    if (coding === '' || coding === 'identity') continue;
    if (!known.includes(coding) || (weight !== undefined && !/^q=[01](\.\d{0,3})?$/.test(weight))) {
      return undefined;
    }
    if (weight === undefined || Number(weight.slice(2)) > 0) taken.add(coding);
  }
  return known.filter((coding) => taken.has(coding)).join(',');
}

/** Fields that a request has twice are one, as in Node's own. */
function toFields(raw: Readonly<RawHeaders>): Map<string, string> {
  const fields = new Map<string, string>();
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = (raw[index] ?? '').toLowerCase();
    const value = raw[index + 1] ?? '';
    const before = fields.get(name);
    fields.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return fields;
}

/** One short word for what a request says in these fields. */
export function digestOf(headers: ReadonlyMap<string, string>, names: readonly string[]): string {
  if (names.length === 0) return '';
  const said = JSON.stringify(names.map((name) => headers.get(name) ?? null));
  return createHash('sha256').update(said).digest('base64');
}

/** Undefined for a request in whose answer no cache has a part. */
export function readCacheRequest(
  { method = '', url = '' }: Pick<IncomingMessage, 'method' | 'url'>,
  raw: Readonly<RawHeaders>,
): CacheRequest | undefined {
  const headers = toFields(raw);
  const codings = readCodings(headers.get('accept-encoding'));
  const hasBody = headers.has('transfer-encoding') || Number(headers.get('content-length') ?? 0) > 0;
  if (!url.startsWith('/')) return undefined;
  if (method === 'GET' || method === 'HEAD') {
    if (codings === undefined || hasBody || notCached.some((name) => headers.has(name))) return undefined;
  }
  return {
    method,
    path: url,
    host: `${headers.get('host')} ${headers.get('x-forwarded-host')}`,
    codings: codings ?? '',
    headers,
    hasAuthorization: headers.has('authorization'),
    isConditional: conditions.some((name) => headers.has(name)),
    // Asked for few answers.
    get isOrdinary() {
      return [...headers.keys()].every(isOrdinary);
    },
    person: () => digestOf(headers, ['cookie', 'authorization', 'accept-language']),
  };
}
