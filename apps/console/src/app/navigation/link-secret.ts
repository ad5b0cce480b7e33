import { redirect, useLocation } from '@tanstack/react-router';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The secret of the link by which the page was opened. */
    linkSecret?: string;
  }
}

/** What stands in the place of a secret in the address of a page that has taken it. */
export const takenSecret = 'token';

/**
 * A page whose link has a secret takes it out of the address, which is shown, kept and shared. It stays with the
 * entry of the tab's history, so that a reload still finds it.
 */
export function takeSecret(secret: string | undefined, bareHref: string): void {
  if (!secret || secret === takenSecret) return;
  throw redirect({ href: bareHref, replace: true, state: { linkSecret: secret } });
}

export function useLinkSecret(): string | undefined {
  return useLocation({ select: ({ state }) => state.linkSecret });
}
