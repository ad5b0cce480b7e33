import { ApiError } from '@pult/contract';
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import type { ErrorOrigin } from './errors.ts';

/** A refused call is not asked again; one that found no server is, twice. */
function shouldRetry(failures: number, error: Error): boolean {
  return failures < 2 && !(error instanceof ApiError && error.status < 500);
}

export type ReportError = (error: unknown, origin: ErrorOrigin) => void;

export function createQueryClient(report: ReportError): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({
      // A query that has data is being refreshed behind the page, unless a navigation waits for it. One that only
      // adds a figure to a page is never awaited.
      onError: (error, query) => {
        const isAwaited = query.state.data === undefined || query.meta?.isAwaited === true;
        const isBackground = !isAwaited || query.meta?.isBackground === true;
        report(error, { kind: isBackground ? 'background' : 'page' });
      },
    }),
    mutationCache: new MutationCache({ onError: (error) => report(error, { kind: 'action' }) }),
    defaultOptions: {
      // `always`: a local network without internet is not offline.
      queries: { retry: shouldRetry, retryDelay: 700, networkMode: 'always' },
      // Passwords, codes and keys that were sent are not kept once the page that sent them is left.
      mutations: { networkMode: 'always', gcTime: 0 },
    },
  });
}
