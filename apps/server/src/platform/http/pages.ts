import { limits } from '@pult/contract';

/** A page of a list as a query asks for it. */
export interface Page {
  /** From 1. */
  page: number;
  /** Rows of it at most. */
  limit: number;
  /** Rows before it. */
  offset: number;
}

/** What was found for a page, and how many match at all. */
export interface FoundPage<Row> {
  page: Page;
  count: number;
  results: Row[];
}

/** The first page without `page`; of the default size without `page_size`, or for 0. */
export function toPage(query: { page?: number | undefined; page_size?: number | undefined }): Page {
  const { page = 1, page_size: size } = query;
  const limit = size || limits.pageSizeDefault;
  return { page, limit, offset: (page - 1) * limit };
}

/** The contract's page: with the addresses of the pages beside it, by the address that was asked for. */
export function pageAnswer<Row>(
  { page: { page, limit }, count, results }: FoundPage<Row>,
  publicUrl: string,
  requestUrl: string,
) {
  return {
    count,
    next: page * limit < count ? pageUrl(publicUrl, requestUrl, page + 1) : null,
    previous: page > 1 ? pageUrl(publicUrl, requestUrl, page - 1) : null,
    results,
  };
}

/** The address of another page of the same list: the same query with its `page` changed. */
function pageUrl(publicUrl: string, requestUrl: string, page: number): string {
  // A request line may name a host (RFC 9112, 3.2.2), and it is the client's to choose.
  const { pathname, search } = new URL(requestUrl, publicUrl);
  const url = new URL(publicUrl);
  [url.pathname, url.search] = [pathname, search];
  url.searchParams.set('page', String(page));
  return url.href;
}
