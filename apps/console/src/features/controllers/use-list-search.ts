import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ListSearch, readListSearch, writeListSearch } from './list-search.ts';

/** The list's view and its change. All but paging leads back to the first page; typing leaves no history. */
export function useListSearch() {
  const search = readListSearch(useSearch({ strict: false }));
  const navigate = useNavigate();
  const change = (changes: Partial<ListSearch>) => {
    const next = { ...search, page: 1, ...changes };
    void navigate({
      to: '.',
      search: writeListSearch(next),
      replace: 'search' in changes,
      resetScroll: 'page' in changes,
    });
  };
  return { search, change };
}
