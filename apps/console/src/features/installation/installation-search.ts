import { defineSearch, type SearchOf } from '../../shared/search/define-search.ts';
import { paging } from '../../shared/search/search-parts.ts';

/** The page of the organizations; it lives in the address. */
export const installationSearch = defineSearch({ ...paging() });
export type InstallationSearch = SearchOf<typeof installationSearch>;
