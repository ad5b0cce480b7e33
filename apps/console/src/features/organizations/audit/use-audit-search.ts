import { useNavigate, useSearch } from '@tanstack/react-router';
import { type AuditSearch, readAuditSearch, writeAuditSearch } from './audit-search.ts';

/** The log's view and its change. All but paging leads back to the first page; typing leaves no history. */
export function useAuditSearch() {
  const search = readAuditSearch(useSearch({ strict: false }));
  const navigate = useNavigate();
  const change = (changes: Partial<AuditSearch>) => {
    const isTyping = Object.keys(changes).every((name) => name === 'user' || name === 'subject');
    void navigate({
      to: '.',
      search: writeAuditSearch({ ...search, page: 1, ...changes }),
      replace: isTyping,
      resetScroll: 'page' in changes,
    });
  };
  return { search, change };
}
