/** Longer than any id or serial number; the secret of a link has 43 characters. */
const longestPlainSegment = 36;

/** The path of a request as the log may hold it: no query, and no part that could be the secret of a link. */
export function loggedPath(url: string): string {
  const [path = ''] = url.split('?');
  return path
    .split('/')
    .map((segment) => (segment.length > longestPlainSegment ? '*' : segment))
    .join('/');
}
