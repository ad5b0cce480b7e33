import { SegmentedControl } from '@mantine/core';
import { isLocale, type Locale, locales } from '@pult/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../api/client.ts';
import { currentUserQuery } from '../api/queries.ts';
import { isAuthorized } from '../auth/authorization.ts';
import { changeLocale, useLocale } from '../i18n/i18n.ts';

// Each language names itself, so that one who reads no other finds it.
const names: Record<Locale, string> = { ru: 'Русский', en: 'English' };

export function LanguageSwitch() {
  const { t } = useTranslation('shared');
  const changeLanguage = useChangeLanguage();
  return (
    <SegmentedControl
      size="xs"
      aria-label={t('language')}
      value={useLocale()}
      onChange={(value) => isLocale(value) && changeLanguage(value)}
      data={locales.map((locale) => ({ value: locale, label: names[locale] }))}
    />
  );
}

/** Changes the language of the page, and of the mails to whoever is logged in. */
export function useChangeLanguage(): (locale: Locale) => void {
  const client = useQueryClient();
  return (locale) => {
    changeLocale(locale);
    if (!isAuthorized()) return;
    api('updateCurrentUser', { body: { locale } }).then(
      (user) => client.setQueryData(currentUserQuery.queryKey, user),
      // The page has changed; the next login tells the server anyway.
      () => undefined,
    );
  };
}
