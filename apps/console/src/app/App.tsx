import { ApiError } from '@pult/contract';
import { useQuery } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { environmentsQuery } from '../shared/api/queries.ts';
import { ServerErrorView } from '../shared/ui/ServerErrorView.tsx';
import { LoadingView } from './LoadingView.tsx';
import type { Router } from './router.ts';

interface Props {
  router: Router;
}

/** The settings of the installation come first; without them there is no page (spec-coverage: At start environment settings are loaded first). */
export function App({ router }: Props) {
  const { data, error, refetch } = useQuery({ ...environmentsQuery, retry: false });
  if (data) return <RouterProvider router={router} />;
  if (!error) return <LoadingView />;
  return (
    <ServerErrorView
      status={error instanceof ApiError ? error.status : undefined}
      onRetry={() => void refetch()}
    />
  );
}
