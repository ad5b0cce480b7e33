import { type AuditAction, limits } from '@pult/contract';
import { listedActions } from './actions.ts';

/** What the log shows; it lives in the address. */
export interface AuditSearch {
  page: number;
  pageSize: number;
  actions: readonly AuditAction[];
  user: string;
  subject: string;
  /** Days as `2026-11-21`, both included, in the browser's time zone; empty for no bound. */
  from: string;
  to: string;
}

export const emptySearch: AuditSearch = {
  page: 1,
  pageSize: limits.pageSizeDefault,
  actions: [],
  user: '',
  subject: '',
  from: '',
  to: '',
};

type RawSearch = Readonly<Record<string, string | undefined>>;

function integer(value: string | undefined, fallback: number, maximum: number): number {
  return value !== undefined && /^\d{1,9}$/.test(value)
    ? Math.min(Math.max(Number(value), 1), maximum)
    : fallback;
}

function day(value: string | undefined): string {
  return value !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(value) && startOf(value) !== undefined
    ? value
    : '';
}

/** Anything else that an address may hold falls back to the default: an old or hand-made link shows a list, not an error. */
export function readAuditSearch(raw: RawSearch): AuditSearch {
  const chosen = (raw.action ?? '').split(',');
  return {
    page: integer(raw.page, emptySearch.page, limits.pageMax),
    pageSize: integer(raw.page_size, emptySearch.pageSize, limits.pageSizeMax),
    actions: listedActions.filter((action) => chosen.includes(action)),
    user: (raw.user ?? '').slice(0, limits.filterLength),
    subject: (raw.subject ?? '').slice(0, limits.filterLength),
    from: day(raw.from),
    to: day(raw.to),
  };
}

/** The part of the address: only what differs from the default. */
export function writeAuditSearch(search: AuditSearch): Record<string, string> {
  const { page, pageSize, actions, user, subject, from, to } = search;
  return {
    ...(actions.length > 0 ? { action: actions.join(',') } : {}),
    ...(user ? { user } : {}),
    ...(subject ? { subject } : {}),
    ...(from ? { from } : {}),
    ...(to ? { to } : {}),
    ...(page > 1 ? { page: String(page) } : {}),
    ...(pageSize === emptySearch.pageSize ? {} : { page_size: String(pageSize) }),
  };
}

export function isFiltered({ actions, user, subject, from, to }: AuditSearch): boolean {
  return actions.length > 0 || [user, subject, from, to].some((value) => value !== '');
}

/** Whether the period ends before it begins; the server refuses such a one. */
export function isPeriodReversed({ from, to }: Pick<AuditSearch, 'from' | 'to'>): boolean {
  return from !== '' && to !== '' && to < from;
}

/** Midnight of the browser's time zone, `days` later. */
function startOf(value: string, days = 0): string | undefined {
  const [year = 0, month = 0, date = 0] = value.split('-').map(Number);
  const start = new Date(year, month - 1, date + days);
  const isDay = days > 0 || (start.getMonth() === month - 1 && start.getDate() === date);
  return isDay && year > 1900 ? start.toISOString() : undefined;
}

/** The filters as the API takes them. */
export function auditFilters({ actions, user, subject, from, to }: AuditSearch) {
  return {
    action: actions.join(',') || undefined,
    user: user.trim() || undefined,
    subject: subject.trim() || undefined,
    from: from ? startOf(from) : undefined,
    // The API's end is not included, the page's is.
    to: to ? startOf(to, 1) : undefined,
  };
}
