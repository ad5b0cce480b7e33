import { defineSearch } from '../../shared/search/define-search.ts';
import { text } from '../../shared/search/search-parts.ts';

/** Whose rights are shown, or who reaches a controller; it lives in the address. */
export const accessSearch = defineSearch({ person: text(), controller: text() });
