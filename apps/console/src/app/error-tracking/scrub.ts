/** The words of the console's own addresses; every other segment is somebody's data, or a secret. */
const words = new Set(
  'organizations controllers audit connect http ssh login signup confirm invite password-reset password-change security'.split(
    ' ',
  ),
);

/** `/password-reset/x/y/` → `/password-reset/:/:/`. */
export function scrubPath(pathname: string): string {
  return pathname
    .split('/')
    .map((segment) => (segment === '' || words.has(segment) ? segment : ':'))
    .join('/');
}

/** Leaves an error's text without addresses' queries and paths, emails, and anything long enough to be a secret. */
export function scrubText(text: string): string {
  return (
    text
      .replace(/\bhttps?:\/\/[^\s"'<>)]+/gi, (address) => {
        if (!URL.canParse(address)) return '[address]';
        const { origin, pathname } = new URL(address);
        // Our own scripts: which of them failed to load is what one wants to know.
        return origin + (pathname.startsWith('/assets/') ? pathname : scrubPath(pathname));
      })
      .replace(/(^|[\s"'(])(\/[^\s"'<>)?#]+)[?#]?[^\s"'<>)]*/g, (_, before: string, path: string) =>
        path.startsWith('/assets/') ? before + path : before + scrubPath(path),
      )
      .replace(/(?<![^\s"'<>@])[^\s"'<>@]+@[^\s"'<>@]+\.[^\s"'<>@]+/g, '[email]')
      // Long, with a digit or a capital: a token or an id, and not the code of an error.
      .replace(/(?<![\w/.-])(?=[\w-]*[\dA-Z])[\w-]{24,}(?![\w/.-])/g, '[…]')
  );
}
