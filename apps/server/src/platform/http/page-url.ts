/** The address of another page of the same list: the same query with its `page` changed. */
export function pageUrl(publicUrl: string, requestUrl: string, page: number): string {
  const url = new URL(requestUrl, publicUrl);
  url.searchParams.set('page', String(page));
  return url.href;
}
