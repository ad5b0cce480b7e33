import type { OrderBy } from '@pult/contract';
import {
  type ControllerOrdering,
  type ControllerStatus,
  controllerStatuses,
  limits,
} from '@pult/contract/values';

/** The columns of the list, named by what the API orders by. */
export const columnKeys = [
  'status',
  'serial_number',
  'description',
  'group_name',
  'firmware_version',
  'last_seen_at',
] as const satisfies readonly ControllerOrdering[];
export type ColumnKey = (typeof columnKeys)[number];

/** What the controllers list shows; it lives in the address, in the words of the API's query. */
export interface ListSearch {
  page: number;
  pageSize: number;
  order: OrderBy<ColumnKey>;
  search: string;
  status: ControllerStatus | undefined;
  /** Exactly this version; null: those that told none. */
  firmware: string | null;
  /** In any of these groups or under one of them. */
  groupIds: readonly string[];
  /** Only those in no group. */
  ungrouped: boolean;
  /** Only those without coordinates. */
  unlocated: boolean;
}

/** As many as are ever fetched at once (spec-coverage: All-controllers fetch: page size 5000): a fleet of this size is one page, without paging. */
export const allControllersPageSize = 5000;
/** Rows of a page to choose from. */
export const pageSizes = [25, 50, 100, 500, allControllersPageSize] as const;

const defaultOrder: ListSearch['order'] = { key: 'serial_number', descending: false };

function text(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

const idForm = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

function ids(value: unknown): string[] {
  const named = text(value)
    .split(',')
    .filter((id) => idForm.test(id));
  return [...new Set(named)].slice(0, limits.groupsPerFilter);
}

/** 0 is no page, and as a size the default by the API's own rule. */
function integer(value: unknown, fallback: number, maximum: number): number {
  return /^0*[1-9]\d{0,8}$/.test(text(value)) ? Math.min(Number(value), maximum) : fallback;
}

/** Anything else that an address may hold falls back to the default: an old or hand-made link shows a list, not an error. */
export function readListSearch(raw: Readonly<Record<string, unknown>>): ListSearch {
  const ordering = text(raw.ordering);
  const descending = ordering.startsWith('-');
  const key = columnKeys.find((allowed) => allowed === ordering.slice(descending ? 1 : 0));
  return {
    page: integer(raw.page, 1, limits.pageMax),
    pageSize: integer(raw.page_size, limits.pageSizeDefault, allControllersPageSize),
    order: key ? { key, descending } : defaultOrder,
    search: text(raw.search).slice(0, limits.filterLength),
    status: controllerStatuses.find((status) => status === raw.status),
    firmware: raw.firmware_known === 'false' ? null : text(raw.firmware).slice(0, limits.filterLength),
    groupIds: ids(raw.group_ids),
    ungrouped: raw.ungrouped === 'true',
    unlocated: raw.located === 'false',
  };
}

function writeOrdering({ key, descending }: ListSearch['order']): string {
  return `${descending ? '-' : ''}${key}`;
}

/** The part of the address: only what differs from the default, so that a plain list has a plain address. */
export function writeListSearch(search: ListSearch): Record<string, string> {
  const ordering = writeOrdering(search.order);
  return {
    ...writeFilters(search),
    ...(ordering === writeOrdering(defaultOrder) ? {} : { ordering }),
    ...(search.page > 1 ? { page: String(search.page) } : {}),
    ...(search.pageSize === limits.pageSizeDefault ? {} : { page_size: String(search.pageSize) }),
  };
}

/** The part of it that the map shares: which controllers, without their order and pages. */
export function writeFilters(
  search: Omit<ListSearch, 'order' | 'page' | 'pageSize'>,
): Record<string, string> {
  return {
    ...(search.search ? { search: search.search } : {}),
    ...(search.status ? { status: search.status } : {}),
    ...(search.firmware ? { firmware: search.firmware } : {}),
    ...(search.firmware === null ? { firmware_known: 'false' } : {}),
    ...(search.groupIds.length > 0 ? { group_ids: search.groupIds.join(',') } : {}),
    ...(search.ungrouped ? { ungrouped: 'true' } : {}),
    ...(search.unlocated ? { located: 'false' } : {}),
  };
}

/** What leaves nothing out. */
export const noFilters = {
  search: '',
  status: undefined,
  firmware: '',
  groupIds: [],
  ungrouped: false,
  unlocated: false,
} as const satisfies Partial<ListSearch>;

export function isFiltered(search: ListSearch): boolean {
  const { search: text, status, firmware, groupIds, ungrouped, unlocated } = search;
  return (
    text !== '' || status !== undefined || firmware !== '' || groupIds.length > 0 || ungrouped || unlocated
  );
}

/** The query of the list. */
export function listQuery(organizationId: string, search: ListSearch) {
  return {
    ...filterQuery(organizationId, search),
    ordering: writeOrdering(search.order),
    page: search.page,
    page_size: search.pageSize,
  };
}

/** All filters, as the export takes them. */
export function filterQuery(organizationId: string, search: ListSearch) {
  return { ...countQuery(organizationId, search), status: search.status };
}

/**
 * The query of the counts: without the status, since each status shows its own count and the way out of a filter
 * must not read "0".
 */
export function countQuery(organizationId: string, search: Omit<ListSearch, 'status'>) {
  return {
    ...textQuery(organizationId, search),
    group_ids: search.groupIds.join(',') || undefined,
    ungrouped: search.ungrouped || undefined,
  };
}

/** The query of the tree of groups: without the chosen group, as each shows its own count. */
export function treeQuery(organizationId: string, search: ListSearch) {
  return { ...textQuery(organizationId, search), status: search.status };
}

function textQuery(
  organizationId: string,
  { search, firmware, unlocated }: Pick<ListSearch, 'search' | 'firmware' | 'unlocated'>,
) {
  return {
    organization_id: organizationId,
    search: search.trim() || undefined,
    firmware: firmware || undefined,
    firmware_known: firmware === null ? false : undefined,
    located: unlocated ? false : undefined,
  };
}
