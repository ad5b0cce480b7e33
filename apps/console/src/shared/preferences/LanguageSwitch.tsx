import { SegmentedControl } from '@mantine/core';
import { isLocale, type Locale, locales } from '@pult/contract';
import { useTranslation } from 'react-i18next';
import { useLocale } from '../i18n/i18n.ts';
import { useChangeLanguage } from './use-change-language.ts';

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
