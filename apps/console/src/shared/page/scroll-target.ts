import { useLocation } from '@tanstack/react-router';

// At the top, where the browser keeps it while what is above comes in.
const scrollIntoView = (element: HTMLElement | null) => element?.scrollIntoView?.();

/**
 * The element that the #id of the address leads to. The router looks for it when the page opens, which is before the
 * page's data are there.
 */
export function useScrollTarget(): {
  chosen: string;
  refOf: (id: string) => typeof scrollIntoView | undefined;
} {
  const chosen = useLocation({ select: ({ hash }) => hash });
  return { chosen, refOf: (id) => (id === chosen ? scrollIntoView : undefined) };
}
