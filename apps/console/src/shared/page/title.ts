import { useEffect } from 'react';
import { readMeta } from './meta.ts';

const separator = ' · ';

/** spec-coverage: Page title: given title, separator, brand; or the brand alone */
export function formatTitle(title: string | undefined, brand: string): string {
  return title ? `${title}${separator}${brand}` : brand;
}

export function readBrand(): string {
  return readMeta('service-name') ?? 'Pult';
}

export function useDocumentTitle(title: string | undefined): void {
  useEffect(() => {
    document.title = formatTitle(title, readBrand());
  }, [title]);
}
