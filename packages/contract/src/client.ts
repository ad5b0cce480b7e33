import type { Locale } from './locale.ts';
import type { RouteAnswer, RouteArguments } from './route.ts';
import { type RouteName, type Routes, routes } from './routes/index.ts';

/** A call that the server answered with a status of 400 or more. `response` has its body unread. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly route: RouteName;
  readonly response: Response;
  /** The machine code of a `{detail, code}` body. */
  readonly code: string | undefined;

  constructor(route: RouteName, response: Response, code: string | undefined) {
    super(`${route}: ${response.status}${code ? ` ${code}` : ''}`);
    this.route = route;
    this.response = response;
    this.status = response.status;
    this.code = code;
  }
}

export interface ClientOptions {
  /** Origin of the API; empty for the page's own. */
  baseUrl?: string;
  getLocale: () => Locale;
  fetch?: typeof fetch;
  /** Sent with every call, for callers that are no browser. */
  headers?: Readonly<Record<string, string>>;
}

/** Calls one route: resolves to its answer, rejects with an ApiError, or with fetch's own error when unreachable. */
export type Client = <Name extends RouteName>(
  name: Name,
  ...rest: CallArguments<Routes[Name]>
) => Promise<RouteAnswer<Routes[Name]>>;

type CallArguments<R extends Routes[RouteName]> =
  Record<never, never> extends RouteArguments<R>
    ? [args?: RouteArguments<R> & CallOptions]
    : [args: RouteArguments<R> & CallOptions];

interface CallOptions {
  signal?: AbortSignal;
}

interface LooseArguments extends CallOptions {
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string | number | boolean | undefined>>;
  body?: unknown;
}

/** The path of a route with its parameters filled in and every empty or undefined query value left out. */
export function buildPath(
  name: RouteName,
  params: Readonly<Record<string, string>> = {},
  query: LooseArguments['query'] = {},
): string {
  const path = routes[name].path.replace(/\{(\w+)\}/g, (_, key: string) => {
    const value = params[key];
    if (value === undefined || value === '') throw new TypeError(`${name} needs the parameter ${key}`);
    return encodeURIComponent(value);
  });
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') search.set(key, String(value));
  }
  return search.size > 0 ? `${path}?${search}` : path;
}

async function readCode(response: Response): Promise<string | undefined> {
  try {
    const body: unknown = await response.clone().json();
    if (typeof body !== 'object' || body === null || !('code' in body)) return undefined;
    return typeof body.code === 'string' ? body.code : undefined;
  } catch {
    return undefined; // not JSON: a proxy's own error page
  }
}

/** A typed client of the whole API (spec-coverage: All requests send credentials). */
export function createClient(options: ClientOptions): Client {
  const request = options.fetch ?? fetch;
  const call = async (name: RouteName, args: LooseArguments = {}): Promise<unknown> => {
    const response = await request((options.baseUrl ?? '') + buildPath(name, args.params, args.query), {
      method: routes[name].method,
      credentials: 'include',
      headers: {
        ...options.headers,
        accept: 'application/json',
        'accept-language': options.getLocale(),
        ...(args.body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(args.body === undefined ? {} : { body: JSON.stringify(args.body) }),
      ...(args.signal === undefined ? {} : { signal: args.signal }),
    });
    if (!response.ok) throw new ApiError(name, response, await readCode(response));
    return response.status === 204 ? undefined : await response.json();
  };
  // The table gives each name its types; inside, all routes are handled alike.
  return call as Client;
}
