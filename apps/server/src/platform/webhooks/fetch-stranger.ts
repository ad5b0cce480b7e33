import { requestStranger, type StrangerNetwork } from './stranger-request.ts';

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

/** `fetch` for addresses that a user chose: see requestStranger. Rejects where there is no whole answer of 1 MB at most in time. */
export function createFetchStranger(network: StrangerNetwork): FetchStranger {
  return async (address, { method = 'GET', headers = {}, body, signal }) => {
    const content = body === undefined || body === null ? undefined : String(body);
    const length = content === undefined ? {} : { 'content-length': Buffer.byteLength(content) };
    const timeLimit = AbortSignal.timeout(network.timeLimitMs ?? 10_000);
    const options = {
      method,
      headers: { ...headers, ...length },
      signal: signal ? AbortSignal.any([signal, timeLimit]) : timeLimit,
    };
    const request = requestStranger(address, options, network);
    return new Promise<Response>((answer, reject) => {
      request.on('error', reject);
      request.on('close', () => reject(new Error('closed without an answer')));
      request.on('response', (response) => {
        const parts: Buffer[] = [];
        let size = 0;
        response.on('data', (part: Buffer) => {
          parts.push(part);
          size += part.length;
          if (size > longestAnswer) response.destroy(new Error('the answer is too long'));
        });
        response.on('error', reject);
        response.on('end', () => {
          const { statusCode: status = 500 } = response;
          const fields = Object.entries(response.headersDistinct).flatMap(([name, values = []]) =>
            values.map((value): [string, string] => [name, value]),
          );
          const isEmpty = [204, 205, 304].includes(status);
          answer(new Response(isEmpty ? null : Buffer.concat(parts), { status, headers: fields }));
        });
      });
      request.end(content);
    });
  };
}
