import { limits } from '@pult/contract';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { TunnelSearch } from './queries.ts';

export const emptySearch: TunnelSearch = { state: 'live', page: 1, pageSize: limits.pageSizeDefault };

function integer(value: string | undefined, fallback: number, maximum: number): number {
  return value !== undefined && /^\d{1,9}$/.test(value)
    ? Math.min(Math.max(Number(value), 1), maximum)
    : fallback;
}

/** Which tunnels are shown; it lives in the address, so that "back" from a controller leads to the same page. */
export function useTunnelsSearch() {
  const raw: Record<string, string | undefined> = useSearch({ strict: false });
  const navigate = useNavigate();
  const search: TunnelSearch = {
    state: raw.state === 'ended' ? 'ended' : 'live',
    page: integer(raw.page, emptySearch.page, limits.pageMax),
    pageSize: integer(raw.page_size, emptySearch.pageSize, limits.pageSizeMax),
  };
  const change = (changes: Partial<TunnelSearch>) => {
    const { state, page, pageSize } = { ...search, page: 1, ...changes };
    void navigate({
      to: '.',
      search: {
        tab: raw.tab,
        ...(state === emptySearch.state ? {} : { state }),
        ...(page > 1 ? { page: String(page) } : {}),
        ...(pageSize === emptySearch.pageSize ? {} : { page_size: String(pageSize) }),
      },
      resetScroll: false,
    });
  };
  return { search, change };
}
