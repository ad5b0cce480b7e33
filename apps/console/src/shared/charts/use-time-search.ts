import { useNavigate, useSearch } from '@tanstack/react-router';
import { readTimeSearch, type TimeSearch, writeTimeSearch } from './time-search.ts';

/** The period of the page's charts and its change; what else the address says stays. */
export function useTimeSearch() {
  const raw: Record<string, unknown> = useSearch({ strict: false });
  const navigate = useNavigate();
  const search = readTimeSearch(raw);
  const change = (changes: Partial<TimeSearch>) =>
    void navigate({
      to: '.',
      search: { ...raw, ...writeTimeSearch({ ...search, ...changes }) },
      resetScroll: false,
    });
  return { search, change };
}
