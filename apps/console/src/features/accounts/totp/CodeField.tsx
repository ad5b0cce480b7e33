import { TextInput } from '@mantine/core';
import { limits } from '@pult/contract';
import type { ReactNode, Ref } from 'react';
import { useTranslation } from 'react-i18next';
import classes from '../accounts.module.css';

export interface CodeFieldProps {
  ref?: Ref<HTMLInputElement>;
  /** Digits only. */
  value: string;
  error: ReactNode;
  readOnly: boolean;
  label?: string;
  onChange: (digits: string) => void;
}

/** Six digits. No limit of length: a pasted code has a space in the middle. */
export function CodeField({ ref, value, error, readOnly, label, onChange }: CodeFieldProps) {
  const { t } = useTranslation('accounts');
  return (
    <TextInput
      ref={ref ?? null}
      label={label ?? t('code.label')}
      description={label === undefined && t('code.hint')}
      value={value}
      error={error}
      readOnly={readOnly}
      onChange={(event) =>
        onChange(event.currentTarget.value.replace(/\D/g, '').slice(0, limits.totpCodeLength))
      }
      inputMode="numeric"
      name="code"
      autoComplete="one-time-code"
      classNames={{ input: classes.code ?? '' }}
      data-autofocus
      autoFocus
    />
  );
}
