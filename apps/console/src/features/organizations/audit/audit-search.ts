import { auditActionsOfOrganizations } from '@pult/contract/values';
import { queryKeys } from '../../../shared/api/query-keys.ts';
import { defineList } from '../../../shared/search/define-list.ts';
import { defineSearch, type SearchOf } from '../../../shared/search/define-search.ts';
import { paging, type SearchPart, someOf, text } from '../../../shared/search/search-parts.ts';

/** A day as `2026-11-21`, in the browser's time zone; empty for no bound. The API takes its beginning, or its end. */
function day(days: 0 | 1): SearchPart<string> {
  return {
    initial: '',
    read: (raw, parameter) => {
      const value = raw[parameter];
      const isDay = typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value);
      return isDay && startOf(value) !== undefined ? value : '';
    },
    write: (value, parameter) => (value === '' ? {} : { [parameter]: value }),
    ask: (value, parameter) => ({ [parameter]: value === '' ? undefined : startOf(value, days) }),
  };
}

const filters = {
  action: someOf(auditActionsOfOrganizations),
  user: text(),
  subject: text(),
  from: day(0),
  // The API's end is not included, the page's is.
  to: day(1),
};

/** What the log shows; it lives in the address. Both days are included. */
export const auditList = defineList('listAuditEvents', queryKeys.organizations.all, {
  ...filters,
  ...paging(),
});
export type AuditSearch = SearchOf<typeof auditList>;

/** The filters alone, as the API takes them. */
export const auditFilters = defineSearch(filters).ask;

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
