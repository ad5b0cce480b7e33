import { useDebouncedValue } from '@mantine/hooks';
import { limits } from '@pult/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import type { Filters } from '../../shared/api/query-keys.ts';
import { type Bounds, boundsOf, growBounds, joinBounds } from '../../shared/map/bounds.ts';
import { controllersCountQuery } from '../controllers/index.ts';
import { clustersQuery, markersQuery, toFeatures, type View, world } from './queries.ts';

/** Milliseconds of rest after which the server is asked for what the view shows now. */
const rest = 150;
/** Asked for beyond each edge of the view, as a share of it, so that a short drag shows no bare rim. */
const margin = 0.15;

const wholeWorld: View = { bounds: world, zoom: 2 };

/**
 * The controllers of the filters on a map. Up to 1,000 all of them are here; of more, only what the view shows, as
 * the server clusters it. `view` is undefined until the map has found its place.
 */
export function useMapFeatures(filters: Filters, view: View | undefined) {
  const client = useQueryClient();
  const markers = markersQuery(filters);
  const firstCount = client.getQueryData(markers.queryKey)?.count;
  const { data: counted, isPlaceholderData } = useQuery({
    ...controllersCountQuery({ ...filters, located: true }),
    enabled: firstCount !== undefined && firstCount > limits.mapFeatures,
  });
  const countNow = isPlaceholderData ? undefined : counted?.count;
  const first = useQuery({
    ...markers,
    // Of a large fleet a thousand rows tell nothing that the clusters do not.
    enabled: (countNow ?? firstCount ?? 0) <= limits.mapFeatures,
  });
  const count = countNow ?? first.data?.count;
  const isLarge = (count ?? 0) > limits.mapFeatures;
  const [settled] = useDebouncedValue(view, rest);
  const asked = settled
    ? { ...settled, bounds: roundBounds(growBounds(settled.bounds, margin)) }
    : wholeWorld;
  const clusters = useQuery({
    ...clustersQuery(filters, asked),
    enabled: isLarge && !first.isPlaceholderData,
  });
  const rows = first.data?.results;
  const features = useMemo(
    () => (isLarge ? clusters.data?.features : rows && toFeatures(rows)),
    [isLarge, clusters.data, rows],
  );

  /** Around all that match; undefined when none has coordinates. */
  const findBounds = async (): Promise<Bounds | undefined> => {
    const all = isLarge
      ? (await client.fetchQuery({ ...clustersQuery(filters, wholeWorld), staleTime: 10_000 })).features
      : (features ?? []);
    return joinBounds(all.map(boundsOf));
  };

  const { error, refetch } = first.error ? first : clusters;
  return {
    /** Undefined until known. */
    features,
    /** How many have coordinates. */
    count,
    isLoading: first.isFetching || clusters.isFetching,
    error,
    retry: () => void refetch(),
    findBounds,
  };
}

/** Begins to read what the map shows first, while the map itself is still loading. */
export function useEarlyFeatures(filters: Filters, { isLarge }: { isLarge: boolean }): void {
  const client = useQueryClient();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once; from then on the map reads
  useEffect(() => {
    void client.prefetchQuery(markersQuery(filters));
    if (isLarge) void client.prefetchQuery(clustersQuery(filters, wholeWorld));
  }, []);
}

/** Of metres, so that an address stays readable. */
function roundBounds([west, south, east, north]: Bounds): Bounds {
  return [round(west), round(south), round(east), round(north)];
}

function round(degrees: number): number {
  return Math.round(degrees * 1e5) / 1e5;
}
