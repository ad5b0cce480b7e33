import { TextInput } from '@mantine/core';
import { limits } from '@pult/contract';
import { useTranslation } from 'react-i18next';
import classes from './accounts.module.css';
import type { CodeFieldProps } from './CodeField.tsx';

/** As written down: the server reads it with or without its hyphens. */
export function RecoveryCodeField({ ref, value, error, readOnly, onChange }: CodeFieldProps) {
  const { t } = useTranslation('accounts');
  return (
    <TextInput
      ref={ref ?? null}
      label={t('code.recoveryLabel')}
      description={t('code.recoveryHint')}
      value={value}
      error={error}
      readOnly={readOnly}
      onChange={(event) => onChange(event.currentTarget.value)}
      maxLength={limits.recoveryCodeLength * 2}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      classNames={{ input: classes.recoveryCode ?? '' }}
      autoFocus
    />
  );
}
