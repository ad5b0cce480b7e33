import type { InvalidateQueryFilters, Query, QueryClient } from '@tanstack/react-query';

/** What is asked for again after an answer that is on its way: once, however much changes until it is there. */
const again = new WeakMap<Promise<unknown>, Promise<void>>();

function readAgainAfter(client: QueryClient, { promise, queryKey }: Query): Promise<void> {
  const read = () => client.invalidateQueries({ queryKey, exact: true });
  if (!promise) return read();
  // A failure is the page's affair.
  const reading = again.get(promise) ?? promise.then(read, () => undefined);
  again.set(promise, reading);
  return reading;
}

/** Asks once more for what is being asked for now, when its answer is there: it may have been given before a change. */
export function readLateAnswersAgain(client: QueryClient, filters: InvalidateQueryFilters): Promise<unknown> {
  const late = client.getQueryCache().findAll({ ...filters, fetchStatus: 'fetching' });
  return Promise.all(late.map((query) => readAgainAfter(client, query)));
}

/**
 * Asks anew for what has changed. The cache takes a first answer that is on its way for a new one, though it may have been
 * given before the change, and would show it until the next: such a one is asked for again.
 */
export function readAnew(client: QueryClient, filters: InvalidateQueryFilters): Promise<unknown> {
  const isFirst = ({ state }: Query) => state.data === undefined;
  const predicate = (query: Query) => isFirst(query) && (filters.predicate?.(query) ?? true);
  const first = readLateAnswersAgain(client, { ...filters, predicate });
  return Promise.all([client.invalidateQueries(filters), first]);
}
