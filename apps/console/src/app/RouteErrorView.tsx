import { ApiError } from '@pult/contract';
import { useQueryErrorResetBoundary } from '@tanstack/react-query';
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { ServerErrorView } from '../shared/ui/ServerErrorView.tsx';

/** In place of a page whose data could not be loaded before it was shown. */
export function RouteErrorView({ error }: ErrorComponentProps) {
  const router = useRouter();
  const { reset } = useQueryErrorResetBoundary();
  return (
    <ServerErrorView
      status={error instanceof ApiError ? error.status : undefined}
      onRetry={() => {
        reset();
        void router.invalidate();
      }}
    />
  );
}
