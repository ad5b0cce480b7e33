import type { Filters } from '../api/query-keys.ts';
import type { RawSearch, SearchPart } from './search-parts.ts';

export type Parts = Readonly<Record<string, SearchPart<unknown>>>;
export type ValuesOf<P extends Parts> = {
  [Name in keyof P]: P[Name] extends SearchPart<infer Value> ? Value : never;
};

export interface SearchDefinition<Search> {
  /** What an address without parameters shows. */
  initial: Search;
  /** The initial values of what leaves something out: a change that shows all again. */
  reset: Partial<Search>;
  read: (raw: RawSearch) => Search;
  /** The part of the address: only what differs from the default. */
  write: (search: Search) => Record<string, string>;
  /** The same as the API is asked. */
  ask: (search: Search) => Filters;
  /** What the address says besides. */
  leave: (raw: RawSearch) => Record<string, unknown>;
  /** Whether something is left out. */
  isFiltered: (search: Search) => boolean;
  /** The search after a change: all but a move to another page leads back to the first. */
  apply: (search: Search, changes: Partial<Search>) => Search;
  /** Whether only texts are changed that somebody types. */
  isTyping: (changes: Partial<Search>) => boolean;
}
export type SearchOf<Definition> = Definition extends SearchDefinition<infer Search> ? Search : never;

/** The parameters of a part; of `pageSize` it is `page_size`. */
function parametersOf(name: string, { parameters }: SearchPart<unknown>): readonly [string, ...string[]] {
  return parameters ?? [name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)];
}

/** What a page shows, by the parts of its address: each is called as the API's parameter, in camel case. */
export function defineSearch<P extends Parts>(parts: P): SearchDefinition<ValuesOf<P>> {
  type Search = ValuesOf<P>;
  const entries = Object.entries<SearchPart<unknown>>(parts);
  // The values of all parts, or of some, under the parts' own names.
  const collect = <Result>(
    read: (part: SearchPart<unknown>, name: string) => unknown,
    chosen: typeof entries = entries,
  ) => Object.fromEntries(chosen.map(([name, part]) => [name, read(part, name)])) as Result;
  const writePart = (part: SearchPart<unknown>, name: string, search: Partial<Search>) =>
    part.write(search[name], parametersOf(name, part)[0]);
  const filters = entries.filter(([, part]) => !part.isView);
  const positions = entries.filter(([, part]) => part.isPosition);

  return {
    initial: collect<Search>((part) => part.initial),
    reset: collect<Partial<Search>>((part) => part.initial, filters),
    read: (raw) => collect<Search>((part, name) => part.read(raw, parametersOf(name, part)[0])),
    write: (search) => Object.assign({}, ...entries.map(([name, part]) => writePart(part, name, search))),
    ask: (search) =>
      Object.assign(
        {},
        ...entries.map(([name, part]) => (part.ask ?? part.write)(search[name], parametersOf(name, part)[0])),
      ),
    leave: (raw) => {
      const own = new Set(entries.flatMap(([name, part]) => parametersOf(name, part)));
      return Object.fromEntries(Object.entries(raw).filter(([parameter]) => !own.has(parameter)));
    },
    isFiltered: (search) =>
      filters.some(([name, part]) => Object.keys(writePart(part, name, search)).length > 0),
    apply: (search, changes) => ({
      ...search,
      ...collect<Partial<Search>>((part) => part.initial, positions),
      ...changes,
    }),
    isTyping: (changes) => Object.keys(changes).every((name) => parts[name]?.isTyped),
  };
}
