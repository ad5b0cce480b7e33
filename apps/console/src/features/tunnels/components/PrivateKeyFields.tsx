import { Button, FileButton, PasswordInput, Stack, Textarea } from '@mantine/core';
import { limits } from '@pult/contract';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconFileUpload } from '../../../shared/icons/IconFileUpload.ts';
import classes from './terminal.module.css';

interface Props {
  value: string;
  onChange: (privateKey: string) => void;
  error: ReactNode;
  passphrase: string;
  onPassphraseChange: (passphrase: string) => void;
}

/** A private key, pasted or read from a file in the browser, and its passphrase. */
export function PrivateKeyFields({ value, onChange, error, passphrase, onPassphraseChange }: Props) {
  const { t } = useTranslation('tunnels');
  const [fileError, setFileError] = useState<string>();

  const readFile = async (file: File | null) => {
    if (!file) return;
    const fits = file.size <= limits.privateKeyLength;
    setFileError(fits ? undefined : t('form.fileTooLarge'));
    if (fits) onChange(await file.text());
  };

  return (
    <Stack gap="md">
      <Stack gap="xs" align="flex-start">
        <Textarea
          w="100%"
          label={t('form.privateKey')}
          placeholder="-----BEGIN OPENSSH PRIVATE KEY-----"
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
          error={fileError ?? error}
          rows={5}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          classNames={{ input: classes.key ?? '' }}
        />
        <FileButton onChange={readFile}>
          {(props) => (
            <Button {...props} variant="default" size="xs" leftSection={<IconFileUpload size={14} />}>
              {t('form.chooseFile')}
            </Button>
          )}
        </FileButton>
      </Stack>
      <PasswordInput
        label={t('form.passphrase')}
        description={t('form.passphraseHint')}
        value={passphrase}
        onChange={(event) => onPassphraseChange(event.currentTarget.value)}
        maxLength={1000}
        autoComplete="new-password"
      />
    </Stack>
  );
}
