import { ApiError, type Client, createClient, type Locale } from '@pult/contract';
import { CliError, type Failure } from './cli-error.ts';
import type { Env } from './env.ts';
import type { Login } from './login-store.ts';

export interface Server {
  /** Its origin. */
  server: string;
  locale: Locale;
  /** What says who asks. */
  headers: Readonly<Record<string, string>>;
  call: Client;
  /** Any call, as the server answers it. */
  request(method: string, path: string, body?: string): Promise<Response>;
}

/** The language of the server's words: that of the shell, where the server has it. */
function localeOf(env: Env): Locale {
  return (env.LC_ALL || env.LC_MESSAGES || env.LANG || '').startsWith('ru') ? 'ru' : 'en';
}

/** Without a token for what needs none. */
export function connectServer(login: Omit<Login, 'token'> & Partial<Login>, env: Env): Server {
  const locale = localeOf(env);
  const headers: Record<string, string> =
    login.token === undefined ? {} : { authorization: `Bearer ${login.token}` };
  const ask: typeof fetch = (input, init) =>
    // A redirect to elsewhere would take the token along.
    fetch(input, { ...init, redirect: 'error' }).catch((error: Error) => {
      const { message } = error.cause instanceof Error ? error.cause : error;
      throw new CliError('unreachable', `${login.server} cannot be reached: ${message}`);
    });
  return {
    server: login.server,
    locale,
    headers,
    call: createClient({ baseUrl: login.server, getLocale: () => locale, headers, fetch: ask }),
    request: (method, path, body) =>
      ask(`${login.server}${path}`, {
        method,
        headers: {
          ...headers,
          'accept-language': locale,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body }),
      }),
  };
}

const failures: Readonly<Record<number, Failure>> = { 401: 'notLoggedIn', 403: 'forbidden', 404: 'notFound' };

/** What the server says of a refusal: its sentence, or what is wrong with each field. */
function describeRefusal(status: number, text: string): string {
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === 'object' && body !== null) {
      if ('detail' in body && typeof body.detail === 'string') return body.detail;
      return Object.entries(body)
        .map(([field, texts]) => `${field}: ${[texts].flat().join(' ')}`)
        .join('\n');
    }
  } catch {
    // An error page of a proxy.
  }
  return `The server answered ${status}.`;
}

export async function refusalOf(answer: Response): Promise<CliError> {
  const { status } = answer;
  return new CliError(failures[status] ?? 'failed', describeRefusal(status, await answer.text()));
}

/** An error as the command line tells it. */
export async function toCliError(error: unknown): Promise<CliError> {
  if (error instanceof CliError) return error;
  if (error instanceof ApiError) return refusalOf(error.response);
  return new CliError('failed', error instanceof Error ? error.message : String(error));
}
