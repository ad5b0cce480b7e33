import { webhookDeliveryStates } from '@pult/contract/values';
import { defineSearch, type SearchOf } from '../../shared/search/define-search.ts';
import { oneOf, paging } from '../../shared/search/search-parts.ts';

/** Which deliveries are shown; it lives in the address. */
export const deliveriesSearch = defineSearch({ state: oneOf(webhookDeliveryStates), ...paging() });
export type DeliveriesSearch = SearchOf<typeof deliveriesSearch>;
