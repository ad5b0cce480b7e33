import type { RouteAnswer, RouteArguments, RouteInput, RouteName, Routes } from '@pult/contract';
import { hashKey, type QueryKey, queryOptions } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import type { Filters } from '../api/query-keys.ts';
import { defineSearch, type Parts, type ValuesOf } from './define-search.ts';

/** The calls that answer a page of a list. */
type ListCall = {
  [Name in RouteName]: RouteAnswer<Routes[Name]> extends { count: number; results: readonly unknown[] }
    ? Name
    : never;
}[RouteName];
type ParamsOf<Name extends ListCall> =
  RouteArguments<Routes[Name]> extends { params: infer Params } ? Params : Record<never, never>;
type ParametersOf<Name extends ListCall> = keyof RouteInput<Routes[Name]>['query'] & string;

/** `pageSize` as `page_size`. */
type AsParameter<Name extends string> = Name extends `${infer Letter}${infer Rest}`
  ? `${Letter extends Lowercase<Letter> ? Letter : `_${Lowercase<Letter>}`}${AsParameter<Rest>}`
  : Name;
type Unasked<P extends Parts, Name extends ListCall> = {
  [Part in keyof P & string as AsParameter<Part> extends ParametersOf<Name> ? never : Part]: never;
};

type Ask<Answer> = (
  call: ListCall,
  args: { params: unknown; query: Filters; signal: AbortSignal },
) => Promise<Answer>;

/**
 * A list in pages: what the address says of it, by the parameters of its call, and its query. `subject` is the beginning of its key
 * (`query-keys.ts`): what makes that stale makes the list stale.
 */
export function defineList<Name extends ListCall, const P extends Parts>(
  call: Name,
  subject: QueryKey,
  parts: P & Unasked<P, Name>,
) {
  const definition = defineSearch<P>(parts);
  const keyOf = (params: ParamsOf<Name>): QueryKey => [...subject, call, params];
  const isPage = (key: QueryKey, params: ParamsOf<Name>) =>
    hashKey(key.slice(0, -1)) === hashKey(keyOf(params));
  return {
    ...definition,
    /** Of all its pages. */
    keyOf,
    /** Whether the key is that of one of its pages. */
    isPage,
    query(params: ParamsOf<Name>, search: ValuesOf<P>) {
      const query = definition.ask(search);
      return queryOptions({
        queryKey: [...keyOf(params), query],
        // The parts are parameters of the call, and the answer is the call's.
        queryFn: ({ signal }) => (api as Ask<RouteAnswer<Routes[Name]>>)(call, { params, query, signal }),
        // While the next page loads the last one stays, but never one of another organization.
        placeholderData: (previous, earlier) =>
          earlier && isPage(earlier.queryKey, params) ? previous : undefined,
      });
    },
  };
}
