import { type DateForm, formatBytes, formatDate, formatNumber } from './format.ts';
import { useLocale } from './i18n.ts';

/** The formatters in the language of the page. */
export function useFormat() {
  const locale = useLocale();
  return {
    formatDate: (value: string | number | Date, form?: DateForm) => formatDate(value, locale, form),
    formatNumber: (value: number, options?: Intl.NumberFormatOptions) => formatNumber(value, locale, options),
    formatBytes: (bytes: number) => formatBytes(bytes, locale),
  };
}
