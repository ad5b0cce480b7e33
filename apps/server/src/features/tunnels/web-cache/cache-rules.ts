import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { validateHeaderName, validateHeaderValue } from 'node:http';
import CachePolicy from 'http-cache-semantics';
import type { Clock } from '../../../platform/clock.ts';
import type { RawHeaders } from '../../../platform/http/reverse-proxy/headers.ts';
import { type CacheRequest, digestOf } from './cache-request.ts';

/** What is kept of an answer besides its body. */
export interface KeptHead {
  /** As browsers get them, without length and age. */
  headers: RawHeaders;
  /** Undefined for what may be given without asking alone. */
  etag: string | undefined;
  policy: CachePolicy;
  /** Whether it may be given to anybody without asking the device, while it is fresh. */
  isPublic: boolean;
  /** Whose request it answered. */
  person: string;
  hasAuthorization: boolean;
  /** Whether the device's word is enough for another person: what pages load, and no page or data of their own. */
  isAsset: boolean;
  /** The fields that the answer depends on by its own word, and what the request said in them. */
  varies: readonly string[];
  variant: string;
}

/** RFC 9110, section 8.8.3. */
const entityTag = /^(W\/)?"[\x21\x23-\x7e\x80-\xff]{0,256}"$/;
/** By whatever letters, and wherever they stand: what is doubtful is not kept. */
const forbidden = /no-store|private/i;
const asset =
  /^(text\/css|(text|application)\/(x-)?javascript|application\/(wasm|font-|x-font-|vnd\.ms-fontobject)|(image|font|audio|video)\/)/i;
const maxVaries = 16;
/** Of what is sent anew with each answer, or of the body that is kept. */
const notKept = new Set(['age', 'content-length', 'set-cookie', 'transfer-encoding', 'warning']);
/** RFC 9111, section 3.2: they belong to the body, which stays. */
const ofBody = new Set(['content-encoding', 'content-type', 'content-range', 'content-length', 'etag']);

/** What may be kept of answers, and when it may be given again: RFC 9111, and less where people share a device. */
export function createCacheRules(clock: Clock) {
  class Policy extends CachePolicy {
    now(): number {
      return clock.now().getTime();
    }
  }
  const options = { shared: true, cacheHeuristic: 0, immutableMinTimeToLive: 0 };

  /** The library's words of a request: it is asked about time and directives, and keeps nothing of a person. */
  function wordsOf({ headers }: CacheRequest) {
    const pragma = headers.get('pragma')?.toLowerCase();
    return {
      headers: {
        'cache-control': headers.get('cache-control')?.toLowerCase() ?? '',
        ...(pragma === undefined ? {} : { pragma }),
      },
    };
  }

  /** Undefined for an answer that is not kept. `headers`: as browsers get them. */
  function keep(
    request: CacheRequest,
    said: IncomingHttpHeaders,
    headers: Readonly<RawHeaders>,
  ): KeptHead | undefined {
    if (said['set-cookie'] !== undefined || said.location !== undefined) return undefined;
    if (said['content-range'] !== undefined) return undefined;
    const type = said['content-type'] ?? '';
    if (type.startsWith('text/event-stream')) return undefined;
    const control = said['cache-control']?.toLowerCase();
    if (control !== undefined && forbidden.test(control)) return undefined;
    const varies =
      said.vary
        ?.toLowerCase()
        .split(',')
        .map((name) => name.trim()) ?? [];
    if (varies.includes('*') || varies.length > maxVaries) return undefined;
    const etag = said.etag !== undefined && entityTag.test(said.etag) ? said.etag : undefined;
    const mayBePublic =
      isSaidPublic(control) &&
      !request.hasAuthorization &&
      varies.every((name) => name === '' || name === 'accept-encoding');
    if ((!mayBePublic && etag === undefined) || !request.isOrdinary) return undefined;
    const told = {
      ...(control === undefined ? {} : { 'cache-control': control }),
      ...(said.pragma === undefined ? {} : { pragma: said.pragma.toLowerCase() }),
      ...(said.age === undefined ? {} : { age: said.age }),
    };
    const policy = new Policy(wordsOf(request), { status: 200, headers: told }, options);
    if (!policy.storable()) return undefined;
    const isPublic = mayBePublic && !policy.stale();
    if (!isPublic && etag === undefined) return undefined;
    return {
      headers: without(headers, notKept),
      etag,
      policy,
      isPublic,
      person: request.person(),
      hasAuthorization: request.hasAuthorization,
      isAsset: asset.test(type),
      varies,
      variant: digestOf(request.headers, varies),
    };
  }

  return {
    /** Of an answer to a GET; undefined for one that is not kept. */
    keepNew(
      request: CacheRequest,
      answer: Pick<IncomingMessage, 'statusCode' | 'headers'>,
      headers: Readonly<RawHeaders>,
    ): KeptHead | undefined {
      // A body that ends with its connection may as well have been cut.
      const isFramed =
        answer.headers['content-length'] !== undefined ||
        /^chunked$/i.test(answer.headers['transfer-encoding'] ?? '');
      if (request.method !== 'GET' || answer.statusCode !== 200 || !isFramed) return undefined;
      return keep(request, answer.headers, headers);
    },

    /** Whether what is kept may be given without asking the device. */
    isFresh(kept: KeptHead, request: CacheRequest): boolean {
      if (!kept.isPublic || !request.isOrdinary) return false;
      if (request.hasAuthorization || request.isConditional) return false;
      const control = request.headers.get('cache-control') ?? '';
      if (/no-cache|no-store|max-age=0(?!\d)/i.test(control)) return false;
      return !kept.policy.stale() && kept.policy.satisfiesWithoutRevalidation(wordsOf(request));
    },

    /** Whether the device's word that it has not changed would make what is kept an answer to this request. */
    mayConfirm(kept: KeptHead, request: CacheRequest): boolean {
      if (kept.etag === undefined || request.method !== 'GET' || request.isConditional) return false;
      // Whoever reloads all wants to see what there is.
      const isReload = /no-cache|no-store/i.test(
        `${request.headers.get('cache-control')} ${request.headers.get('pragma')}`,
      );
      if (isReload || !request.isOrdinary) return false;
      if (digestOf(request.headers, kept.varies) !== kept.variant) return false;
      return kept.isAsset || kept.person === request.person();
    },

    /** Whether a 304 is about the entity tag that was asked for. */
    isConfirmed({ etag = '' }: KeptHead, answer: Pick<IncomingMessage, 'headers'>): boolean {
      const { etag: told } = answer.headers;
      return told === undefined || weak(told) === weak(etag);
    },

    /**
     * After a 304: what its person gets, and what is kept from now on, if it still may be. Throws for headers that
     * HTTP does not know.
     */
    refresh(
      kept: KeptHead,
      request: CacheRequest,
      answer: Pick<IncomingMessage, 'headers'>,
      headers: Readonly<RawHeaders>,
    ): { headers: RawHeaders; next: KeptHead | undefined } {
      const updates = without(headers, new Set([...ofBody, ...notKept]));
      const updated = new Set<string>();
      for (const [name, value] of pairs(updates)) {
        validateHeaderName(name);
        validateHeaderValue(name, value);
        updated.add(name.toLowerCase());
      }
      const merged = [...without(kept.headers, updated), ...updates];
      const said = toIncoming(merged);
      const ofThisAnswer = answer.headers['set-cookie'];
      const next = keep(
        request,
        {
          ...said,
          ...(answer.headers.age === undefined ? {} : { age: answer.headers.age }),
          ...(ofThisAnswer === undefined ? {} : { 'set-cookie': ofThisAnswer }),
        },
        merged,
      );
      const cookies = pairs(headers).filter(([name]) => name.toLowerCase() === 'set-cookie');
      return {
        headers: [...merged, ...cookies.flat()],
        // Its body is still the one that the first person was given.
        next: next && {
          ...next,
          isPublic: next.isPublic && !kept.hasAuthorization,
          person: kept.person,
          hasAuthorization: kept.hasAuthorization,
        },
      };
    },

    /** What is given without asking: with its age, in whole seconds. */
    withAge: ({ headers, policy }: KeptHead): RawHeaders => [
      ...headers,
      'Age',
      String(Math.floor(policy.age())),
    ],
  };
}

/** By its own max-age, which it says once, and by no other word for shared caches. */
function isSaidPublic(control = ''): boolean {
  const directives = control.split(',').map((directive) => directive.trim());
  const ages = directives.filter((directive) => /^max-age\b/.test(directive));
  if (ages.length !== 1 || !/^max-age=\d+$/.test(ages[0] ?? '')) return false;
  if (directives.some((directive) => directive.startsWith('s-maxage'))) return false;
  return directives.includes('public') || directives.includes('immutable');
}

const weak = (etag: string) => etag.replace(/^W\//, '');

function pairs(raw: Readonly<RawHeaders>): [name: string, value: string][] {
  const found: [string, string][] = [];
  for (let index = 0; index + 1 < raw.length; index += 2) {
    found.push([raw[index] ?? '', raw[index + 1] ?? '']);
  }
  return found;
}

const without = (raw: Readonly<RawHeaders>, names: ReadonlySet<string>): RawHeaders =>
  pairs(raw)
    .filter(([name]) => !names.has(name.toLowerCase()))
    .flat();

/** As Node reads them, of those that the rules ask for. */
function toIncoming(raw: Readonly<RawHeaders>): IncomingHttpHeaders {
  const headers: Record<string, string> = {};
  for (const [name, value] of pairs(raw)) {
    const lower = name.toLowerCase();
    const before = headers[lower];
    const isList = lower === 'cache-control' || lower === 'vary' || lower === 'pragma';
    headers[lower] = before === undefined ? value : isList ? `${before}, ${value}` : before;
  }
  return headers;
}
