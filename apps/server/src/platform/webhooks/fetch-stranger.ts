import { lookup } from 'node:dns';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { createLookup, type PostOptions, PrivateAddressError } from './post-json.ts';
import { isPrivateAddress, literalAddress } from './private-network.ts';

/** More than any answer that is asked for. */
const longestAnswer = 1_000_000;

/** As `fetch` is called by libraries that take one of the caller's. */
export type FetchStranger = (
  address: string,
  options: {
    method?: string;
    headers?: Record<string, string>;
    body?: unknown;
    signal?: AbortSignal | undefined;
  },
) => Promise<Response>;

/**
 * `fetch` for addresses that a user chose: not into the server's own network unless that is allowed, without redirects, and
 * of an answer so much and no more. Rejects where there is no whole answer in time.
 */
export function createFetchStranger({
  allowsPrivate,
  resolve = lookup,
  timeLimitMs = 10_000,
}: PostOptions): FetchStranger {
  return async (address, { method = 'GET', headers = {}, body, signal }) => {
    const url = new URL(address);
    const literal = literalAddress(url);
    if (!allowsPrivate && literal !== undefined && isPrivateAddress(literal)) {
      throw new PrivateAddressError(literal);
    }
    const content = body === undefined || body === null ? undefined : String(body);
    const timeLimit = AbortSignal.timeout(timeLimitMs);
    return new Promise<Response>((answer, reject) => {
      const send = url.protocol === 'https:' ? requestHttps : requestHttp;
      const request = send(url, {
        method,
        headers: {
          ...headers,
          ...(content === undefined ? {} : { 'content-length': Buffer.byteLength(content) }),
        },
        agent: false,
        maxHeaderSize: 16_384,
        lookup: createLookup(resolve, allowsPrivate),
        signal: signal ? AbortSignal.any([signal, timeLimit]) : timeLimit,
      });
      request.on('error', reject);
      request.on('close', () => reject(new Error('closed without an answer')));
      request.on('response', (response) => {
        const parts: Buffer[] = [];
        let length = 0;
        response.on('data', (part: Buffer) => {
          parts.push(part);
          length += part.length;
          if (length > longestAnswer) response.destroy(new Error('the answer is too long'));
        });
        response.on('error', reject);
        response.on('end', () => {
          const { statusCode: status = 500 } = response;
          const fields = Object.entries(response.headersDistinct).flatMap(([name, values = []]) =>
            values.map((value): [string, string] => [name, value]),
          );
          const isEmpty = [101, 204, 205, 304].includes(status);
          answer(new Response(isEmpty ? null : Buffer.concat(parts), { status, headers: fields }));
        });
      });
      request.end(content);
    });
  };
}
