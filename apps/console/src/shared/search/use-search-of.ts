import { useNavigate, useSearch } from '@tanstack/react-router';
import type { SearchDefinition } from './define-search.ts';
import { usePagePath } from './use-page-path.ts';

interface Options {
  /** Only a part of its page has this search: what else the address says stays, and the page does not scroll. */
  isPart?: boolean;
}

/** What the address says by such a definition, and its change. Typing leaves no history. */
export function useSearchOf<Search extends object>(
  definition: SearchDefinition<Search>,
  { isPart = false }: Options = {},
) {
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
  return { search, change };
}
