import { Select } from '@mantine/core';
import { locales } from '@pult/contract';
import { useTranslation } from 'react-i18next';
import type { FieldsProps, RuleForm } from './channel.ts';

/** Each in its own language, as those who read it look for it. */
const names = { ru: 'Русский', en: 'English' } as const;

interface Props {
  form: FieldsProps['form'];
  field: Extract<keyof RuleForm, `${string}Locale`>;
}

/** A chat has one language, whoever is in it. */
export function LocaleField({ form, field }: Props) {
  const { t } = useTranslation('alerts');
  return (
    <Select
      {...form.getInputProps(field)}
      label={t('form.chatLocale')}
      data={locales.map((locale) => ({ value: locale, label: names[locale] }))}
      allowDeselect={false}
      comboboxProps={{ shadow: 'md' }}
    />
  );
}
