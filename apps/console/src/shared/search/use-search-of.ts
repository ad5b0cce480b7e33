import { useNavigate, useSearch } from '@tanstack/react-router';
import type { SearchDefinition } from './define-search.ts';
import { usePagePath } from './use-page-path.ts';

interface Options {
  /** Only a part of its page has this search: what else the address says stays, and the page does not scroll. */
  isPart?: boolean;
}

export interface ListPosition<Search> {
  search: Search;
  change: (changes: Partial<Search>) => void;
  /** Whether something is left out, and what shows all again. */
  isFiltered: boolean;
  clear: () => void;
}

/** What the address says by such a definition, and its change. Typing leaves no history. */
export function useSearchOf<Search extends object>(
  definition: SearchDefinition<Search>,
  { isPart = false }: Options = {},
): ListPosition<Search> {
  const raw: Record<string, unknown> = useSearch({ strict: false });
  const navigate = useNavigate();
  const readPath = usePagePath();
  const search = definition.read(raw);
  const change = (changes: Partial<Search>) => {
    const path = readPath();
    if (path === undefined) return;
    const written = definition.write(definition.apply(search, changes));
    void navigate({
      // Not '.', which gives the address of an index page a slash at its end.
      to: path,
      search: isPart ? { ...definition.leave(raw), ...written } : written,
      replace: definition.isTyping(changes),
      resetScroll: !isPart && 'page' in changes,
    });
  };
  const clear = () => change(definition.initial);
  return { search, change, isFiltered: definition.isFiltered(search), clear };
}
