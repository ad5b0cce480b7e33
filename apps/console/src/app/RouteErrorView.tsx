import { ApiError } from '@pult/contract';
import { useQueryClient, useQueryErrorResetBoundary } from '@tanstack/react-query';
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useCallback, useState } from 'react';
import { isReachable } from '../shared/api/connection.ts';
import { currentUserQuery } from '../shared/api/queries.ts';
import { isAuthorized } from '../shared/auth/authorization.ts';
import { loadPart } from '../shared/page/load-part.ts';
import { ServerErrorView } from '../shared/ui/ServerErrorView.tsx';
import { ConnectionLost } from './ConnectionLost.tsx';

const Bare = ({ children }: { children?: ReactNode }) => <main>{children}</main>;

/** Of those who work it is here already. A page outside of it has to do without while the server is away. */
const Shell = lazy(async (): Promise<{ default: typeof Bare }> => {
  try {
    return { default: (await loadPart(() => import('./shell/Shell.tsx'))).Shell };
  } catch {
    return { default: Bare };
  }
});

/**
 * In place of a page whose data could not be loaded before it was shown. A server that goes away while somebody works leaves
 * them the shell; what it answers, and what is missing at the start, is the server-error view.
 */
export function RouteErrorView({ error }: ErrorComponentProps) {
  const router = useRouter();
  const client = useQueryClient();
  const { reset } = useQueryErrorResetBoundary();
  // As it was when the page failed.
  const [isLost] = useState(() => !isReachable());
  const retry = useCallback(() => {
    reset();
    void router.invalidate();
  }, [reset, router]);
  const isWorking = isAuthorized() && client.getQueryData(currentUserQuery.queryKey) !== undefined;
  if (isLost && isWorking) {
    return (
      <Suspense>
        <Shell>
          <ConnectionLost onBack={retry} />
        </Shell>
      </Suspense>
    );
  }
  return <ServerErrorView status={error instanceof ApiError ? error.status : undefined} onRetry={retry} />;
}
