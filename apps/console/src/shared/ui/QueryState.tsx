import type { ReactNode } from 'react';
import { ErrorState } from './ErrorState.tsx';
import { SkeletonRows } from './SkeletonRows.tsx';

/** What is asked for, as `useQuery` gives it. */
export interface Asked<Data> {
  data: Data | undefined;
  error: unknown;
  refetch: () => unknown;
}

interface Props<Data> {
  query: Asked<Data>;
  /** What failed, where the page can say it better. */
  failure?: string | undefined;
  /** Of the outline while it loads. */
  rows?: number | undefined;
  height?: number | undefined;
  /** In place of a list that has nothing in it. */
  empty?: ReactNode;
  children?: (data: Data) => ReactNode;
}

/** What was asked for, or that it failed, or its outline. What is there stays while it cannot be read anew. */
export function QueryState<Data>({
  query: { data, error, refetch },
  failure,
  rows,
  height,
  empty,
  children,
}: Props<Data>) {
  if (data !== undefined) {
    return empty !== undefined && Array.isArray(data) && data.length === 0 ? empty : children?.(data);
  }
  if (error) return <ErrorState title={failure} error={error} onRetry={() => void refetch()} />;
  return <SkeletonRows rows={rows} height={height} />;
}
