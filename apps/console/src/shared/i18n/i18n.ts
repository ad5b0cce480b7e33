import { isLocale, type Locale } from '@pult/contract';
import i18next, { type Resource } from 'i18next';
import { initReactI18next, useTranslation } from 'react-i18next';
import { detectLocale, storeLocale } from './locale.ts';

/**
 * Starts the texts in the user's language and stores it, so that page, requests and mails agree from the first
 * start on. `resources`: all namespaces, given by the app, which alone knows the features.
 */
export function startI18n(resources: Resource): void {
  const locale = detectLocale();
  storeLocale(locale);
  document.documentElement.lang = locale;
  void i18next.use(initReactI18next).init({
    resources,
    lng: locale,
    fallbackLng: false,
    defaultNS: 'shared',
    initAsync: false,
    returnNull: false,
    interpolation: { escapeValue: false }, // React escapes
  });
}

export function changeLocale(locale: Locale): void {
  storeLocale(locale);
  document.documentElement.lang = locale;
  void i18next.changeLanguage(locale);
}

/** Follows the language of the page. */
export function useLocale(): Locale {
  const { i18n } = useTranslation();
  return isLocale(i18n.language) ? i18n.language : 'en';
}
