import { SegmentedControl } from '@mantine/core';
import { isLocale, type Locale, locales } from '@pult/contract';
import { useTranslation } from 'react-i18next';
import { changeLocale, useLocale } from '../i18n/i18n.ts';

// Each language names itself, so that one who reads no other finds it.
const names: Record<Locale, string> = { ru: 'Русский', en: 'English' };

export function LanguageSwitch() {
  const { t } = useTranslation('shared');
  return (
    <SegmentedControl
      size="xs"
      aria-label={t('language')}
      value={useLocale()}
      onChange={(value) => isLocale(value) && changeLocale(value)}
      data={locales.map((locale) => ({ value: locale, label: names[locale] }))}
    />
  );
}
