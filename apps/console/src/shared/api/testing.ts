import { ApiError, buildPath, type RouteName } from '@pult/contract';

interface Answer {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
  params?: Record<string, string>;
}

/** A failed call as the client throws it. */
export function makeApiError(route: RouteName, { status, body = {}, headers, params }: Answer): ApiError {
  const response = new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  });
  Object.defineProperty(response, 'url', { value: `https://pult.example${buildPath(route, params)}` });
  const code = typeof body === 'object' && body !== null && 'code' in body ? String(body.code) : undefined;
  return new ApiError(route, response, code);
}
