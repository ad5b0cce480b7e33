import { useMatches, useRouter } from '@tanstack/react-router';

/**
 * The path of the page that stands, or undefined once a link has led away from it: while the next page loads, the
 * router's address is that page's already, and a late answer of this one must not be written into it.
 */
export function usePagePath(): () => string | undefined {
  const router = useRouter();
  const standing = useMatches({ select: (matches) => matches.at(-1)?.pathname ?? '/' });
  return () => {
    const { pathname } = router.latestLocation;
    return trimSlash(pathname) === trimSlash(standing) ? pathname : undefined;
  };
}

/** The page of an index route matches with a slash at its end, which its address has not. */
function trimSlash(path: string): string {
  return path.replace(/\/$/, '');
}
