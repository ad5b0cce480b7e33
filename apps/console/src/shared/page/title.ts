import { useLayoutEffect } from 'react';
import { readMeta } from './meta.ts';

export const separator = ' · ';

/** spec-coverage: Page title: given title, separator, brand; or the brand alone */
export function formatTitle(title: string | undefined, brand: string): string {
  return title ? `${title}${separator}${brand}` : brand;
}

export function readBrand(): string {
  return readMeta('service-name') ?? 'Pult';
}

/** Until a page says its title there is the brand alone. */
export function resetDocumentTitle(): void {
  document.title = formatTitle(undefined, readBrand());
}

/**
 * A page that goes takes its title with it: the next one may have none. A layout effect: one that React only hides
 * while the next is loaded keeps the others.
 */
export function useDocumentTitle(title: string | undefined): void {
  useLayoutEffect(() => {
    document.title = formatTitle(title, readBrand());
    return resetDocumentTitle;
  }, [title]);
}
