import { auditActionsOfOrganizations } from '@pult/contract/values';
import { defineSearch, type SearchOf } from '../../../shared/search/define-search.ts';
import { named, paging, type SearchPart, someOf, text } from '../../../shared/search/search-parts.ts';

/** A day as `2026-11-21`, in the browser's time zone; empty for no bound. */
function day(): SearchPart<string> {
  return {
    initial: '',
    read: (raw, parameter) => {
      const value = raw[parameter];
      const isDay = typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value);
      return isDay && startOf(value) !== undefined ? value : '';
    },
    write: (value, parameter) => (value === '' ? {} : { [parameter]: value }),
  };
}

/** What the log shows; it lives in the address. Both days are included. */
export const auditSearch = defineSearch({
  actions: named('action', someOf(auditActionsOfOrganizations)),
  user: text(),
  subject: text(),
  from: day(),
  to: day(),
  ...paging(),
});
export type AuditSearch = SearchOf<typeof auditSearch>;

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
