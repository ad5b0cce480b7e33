import { useLocation } from '@tanstack/react-router';

/** At the top, where the browser keeps it while what is above comes in, and below the bar of a phone. */
function scrollIntoView(element: HTMLElement | null): void {
  if (!element) return;
  element.style.scrollMarginTop = 'calc(var(--pult-bar, 0px) + 12px)';
  element.scrollIntoView?.();
}

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
