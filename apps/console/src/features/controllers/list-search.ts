import { limits } from '@pult/contract/values';
import type { Filters } from '../../shared/api/query-keys.ts';
import { defineSearch, type SearchOf } from '../../shared/search/define-search.ts';
import { flag, ids, order, paging, text } from '../../shared/search/search-parts.ts';
import { columnKeys } from './fields.tsx';
import { fieldFilters } from './filter-parts.ts';

const filters = {
  search: text(),
  ...fieldFilters,
  /** In any of these groups or under one of them. */
  groupIds: ids(limits.groupsPerFilter),
  /** Only those in no group. */
  ungrouped: flag(),
};

/** The part of the address that list and map share: which controllers, without their order and pages. */
export const filterSearch = defineSearch(filters);
export type FilterSearch = SearchOf<typeof filterSearch>;

/** What the controllers list shows; it lives in the address, in the words of the API's query. */
export const listSearch = defineSearch({
  ...filters,
  ordering: order(columnKeys, { key: 'serial_number', descending: false }),
  ...paging(),
});
export type ListSearch = SearchOf<typeof listSearch>;

/** As many as are ever fetched at once (spec-coverage: All-controllers fetch: page size 5000): a fleet of this size is one page, without paging. */
export const allControllersPageSize = 5000;
/** Rows of a page to choose from. */
export const pageSizes = [25, 50, 100, 500, allControllersPageSize] as const;

type Query = Filters & { organization_id: string };

/** The query of the list. */
export function listQuery(organizationId: string, search: ListSearch): Query {
  return { organization_id: organizationId, ...listSearch.ask(search) };
}

/** All filters, as the export takes them. */
export function filterQuery(organizationId: string, search: FilterSearch): Query {
  return { organization_id: organizationId, ...filterSearch.ask(search) };
}

/**
 * The query of the counts: without the status, since each status shows its own count and the way out of a filter
 * must not read "0".
 */
export function countQuery(organizationId: string, search: Omit<FilterSearch, 'status'>) {
  return filterQuery(organizationId, { ...search, status: undefined });
}

/** The query of the tree of groups: without the chosen group, as each shows its own count. */
export function treeQuery(organizationId: string, search: FilterSearch) {
  return filterQuery(organizationId, { ...search, groupIds: [], ungrouped: false });
}
