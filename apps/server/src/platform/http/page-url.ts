/** The address of another page of the same list: the same query with its `page` changed. */
export function pageUrl(publicUrl: string, requestUrl: string, page: number): string {
  // A request line may name a host (RFC 9112, 3.2.2), and it is the client's to choose.
  const { pathname, search } = new URL(requestUrl, publicUrl);
  const url = new URL(publicUrl);
  [url.pathname, url.search] = [pathname, search];
  url.searchParams.set('page', String(page));
  return url.href;
}
