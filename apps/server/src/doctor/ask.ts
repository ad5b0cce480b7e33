import { type IncomingHttpHeaders, request as sendRequest } from 'node:http';
import { request as sendSecureRequest } from 'node:https';
import { isIP } from 'node:net';

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  /** The first of it. */
  text: string;
}

interface AskOptions {
  method?: string;
  headers?: Record<string, string>;
  /** Where the host of the address is, instead of where its name leads. */
  connectTo?: string;
  /** Any certificate is taken: another check looks at it. */
  isTrusting?: boolean;
  /** Authorities in PEM form, instead of those of Node.js. */
  ca?: string | undefined;
}

/** One HTTP request without redirects, whose answer is read up to a megabyte. Rejects in time. */
export type Ask = (url: URL, options?: AskOptions) => Promise<Answer>;

const longestText = 2 ** 20;

export function createAsk(ending: AbortSignal, timeoutMs: number): Ask {
  return (url, { method = 'GET', headers = {}, connectTo, isTrusting = false, ca } = {}) =>
    new Promise((resolve, reject) => {
      const isSecure = url.protocol === 'https:';
      const { username, password, hostname } = url;
      const asked = (isSecure ? sendSecureRequest : sendRequest)({
        method,
        host: connectTo ?? hostname.replace(/^\[|\]$/g, ''),
        port: url.port || (isSecure ? 443 : 80),
        path: `${url.pathname}${url.search}`,
        headers: { host: url.host, connection: 'close', ...headers },
        ...(isIP(hostname) === 0 ? { servername: hostname } : {}),
        ...(username === ''
          ? {}
          : { auth: `${decodeURIComponent(username)}:${decodeURIComponent(password)}` }),
        rejectUnauthorized: !isTrusting,
        ...(ca === undefined ? {} : { ca }),
        agent: false,
      });
      const cut = () => asked.destroy(new Error('broken off'));
      const late = () => asked.destroy(new Error(`no answer within ${timeoutMs / 1000} s`));
      const timer = setTimeout(late, timeoutMs);
      ending.addEventListener('abort', cut, { once: true });
      asked.on('close', () => {
        clearTimeout(timer);
        ending.removeEventListener('abort', cut);
      });
      asked.on('error', reject);
      asked.on('upgrade', ({ statusCode = 0, headers }, socket) => {
        socket.destroy();
        resolve({ status: statusCode, headers, text: '' });
      });
      asked.on('response', (response) => {
        const chunks: Buffer[] = [];
        let size = 0;
        const end = () => {
          const text = Buffer.concat(chunks).toString().slice(0, longestText);
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
          response.destroy();
        };
        response.on('data', (chunk: Buffer) => {
          chunks.push(chunk);
          size += chunk.length;
          if (size >= longestText) end();
        });
        response.on('end', end);
        response.on('error', reject);
      });
      asked.end();
    });
}
