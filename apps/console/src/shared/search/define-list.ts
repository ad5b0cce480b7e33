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
 * (`query-keys.ts`): what makes that stale makes the list stale. `apart`: the parameters that say which of several lists it is.
 */
export function defineList<Name extends ListCall, const P extends Parts>(
  call: Name,
  subject: QueryKey,
  parts: P & Unasked<P, Name>,
  { apart = [] }: { apart?: readonly ParametersOf<Name>[] } = {},
) {
  const definition = defineSearch<P>(parts);
  const keyOf = (params: ParamsOf<Name>): QueryKey => [...subject, call, params];
  /** The list, whatever page and filters its key has. */
  const identify = (key: QueryKey): string => {
    // The last part is what was asked.
    const asked = key.at(-1) as Filters;
    return hashKey([...key.slice(0, -1), ...apart.map((parameter) => asked[parameter])]);
  };
  return {
    ...definition,
    /** Of all its pages. */
    keyOf,
    query(params: ParamsOf<Name>, search: ValuesOf<P>) {
      const query = definition.ask(search);
      return queryOptions({
        queryKey: [...keyOf(params), query],
        // The parts are parameters of the call, and the answer is the call's.
        queryFn: ({ signal }) => (api as Ask<RouteAnswer<Routes[Name]>>)(call, { params, query, signal }),
        // While the next page loads the last one stays, but never one of another organization or of another list.
        placeholderData: (previous, earlier) =>
          earlier && identify(earlier.queryKey) === identify([...keyOf(params), query])
            ? previous
            : undefined,
      });
    },
  };
}
