import { useNavigate, useSearch } from '@tanstack/react-router';
import { type AlertsSearch, readAlertsSearch, writeAlertsSearch } from './alerts-search.ts';

/** The history's view and its change. All but paging leads back to the first page; typing leaves no history. */
export function useAlertsSearch() {
  const search = readAlertsSearch(useSearch({ strict: false }));
  const navigate = useNavigate();
  const change = (changes: Partial<AlertsSearch>) =>
    void navigate({
      to: '.',
      search: writeAlertsSearch({ ...search, page: 1, ...changes }),
      replace: 'serialNumber' in changes,
      resetScroll: false,
    });
  return { search, change };
}
