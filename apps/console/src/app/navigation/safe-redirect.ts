/**
 * The address to go to after login, when it stays on this origin; otherwise undefined. Anyone can send a link with
 * a `redirect` of their own, so what a browser would read as another site or as a script is dropped.
 */
export function safeRedirect(value: string | undefined, origin = window.location.origin): string | undefined {
  // Browsers drop tabs and line feeds and read `\` as `/`: `/\t/host` and `/\host` are other sites.
  if (!value?.startsWith('/') || /[\\\p{Cc}]/u.test(value) || !URL.canParse(value, origin)) return undefined;
  const url = new URL(value, origin);
  // `/.//host` becomes the path `//host`, which is another site again.
  if (url.origin !== origin || url.pathname.startsWith('//')) return undefined;
  return url.pathname + url.search + url.hash;
}
