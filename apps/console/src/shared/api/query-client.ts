import { ApiError } from '@pult/contract';
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import type { CallErrors, ErrorOrigin } from './errors.ts';

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: {
      /** Nobody waits for it: its failure is told nowhere. */
      isBackground?: boolean;
      /** A navigation waits for it, though it has data. */
      isAwaited?: boolean;
      errors?: CallErrors;
    };
    mutationMeta: { errors?: CallErrors };
  }
}

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
        report(error, { kind: isBackground ? 'background' : 'page', call: query.meta?.errors });
      },
    }),
    mutationCache: new MutationCache({
      onError: (error, _variables, _result, mutation) =>
        report(error, { kind: 'action', call: mutation.meta?.errors }),
    }),
    defaultOptions: {
      // `always`: a local network without internet is not offline.
      queries: { retry: shouldRetry, retryDelay: 700, networkMode: 'always' },
      // Passwords, codes and keys that were sent are not kept once the page that sent them is left.
      mutations: { networkMode: 'always', gcTime: 0 },
    },
  });
}
