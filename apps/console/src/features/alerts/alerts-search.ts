import { alertStates } from '@pult/contract/values';
import { defineSearch, type SearchOf } from '../../shared/search/define-search.ts';
import { oneOf, paging, text } from '../../shared/search/search-parts.ts';

/** What the history shows; it lives in the address. */
export const alertsSearch = defineSearch({
  state: oneOf(alertStates),
  serialNumber: text(),
  ...paging(),
});
export type AlertsSearch = SearchOf<typeof alertsSearch>;
