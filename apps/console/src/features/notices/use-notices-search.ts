import { useNavigate, useSearch } from '@tanstack/react-router';
import { type NoticesSearch, readNoticesSearch, writeNoticesSearch } from './notices-search.ts';

/** The history's view and its change. All but paging leads back to the first page; typing leaves no history. */
export function useNoticesSearch() {
  const search = readNoticesSearch(useSearch({ strict: false }));
  const navigate = useNavigate();
  const change = (changes: Partial<NoticesSearch>) =>
    void navigate({
      to: '.',
      search: writeNoticesSearch({ ...search, page: 1, ...changes }),
      replace: 'serialNumber' in changes,
      resetScroll: false,
    });
  return { search, change };
}
