/** Settings that the server writes into the page, for use before or without the API. */
export type MetaName =
  | 'service-name'
  | 'service-status-url'
  | 'app-env'
  | 'sentry-dsn'
  | 'version'
  | 'arrival';

/** Undefined when absent, empty, or still the placeholder (a page that no server has filled in). */
export function readMeta(name: MetaName): string | undefined {
  const content = document.querySelector<HTMLMetaElement>(`meta[name="pult:${name}"]`)?.content.trim();
  return !content || /^%[A-Z_]+%$/.test(content) ? undefined : content;
}

/**
 * Whether a person has asked for this page, or a page of the console. Otherwise another site may have chosen its address, also where
 * the browser does not say, and where the page was loaded anew, be it by itself: to browsers that is the page's own doing.
 */
export function isOwnArrival(): boolean {
  // Entries of that type are of this interface.
  const [load] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return readMeta('arrival') === 'own' && load?.type !== 'reload';
}

/** The address of the service status page; only web addresses are ever made a link. */
export function readServiceStatusUrl(): string | undefined {
  const url = readMeta('service-status-url');
  return url !== undefined && /^https?:\/\//i.test(url) && URL.canParse(url) ? url : undefined;
}
