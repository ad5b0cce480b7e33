import { Button, PasswordInput, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { limits } from '@pult/contract';
import { type ReactNode, type SubmitEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DisabledReason } from '../../../shared/ui/DisabledReason.tsx';
import { Form } from '../../../shared/ui/Form.tsx';
import { loadUsername, saveUsername } from '../terminal/terminal-preferences.ts';
import type { TerminalLogin } from '../terminal/use-terminal-session.ts';
import { PrivateKeyFields } from './PrivateKeyFields.tsx';

interface Props {
  serialNumber: string;
  busy: boolean;
  /** Why the last attempt failed. */
  failure: ReactNode;
  /** The reason why logging in is impossible now. */
  blocked: string | undefined;
  onSubmit: (login: TerminalLogin) => void;
}

/** Who logs in and how. The password and the key live in this form's state only. */
export function SshLoginForm({ serialNumber, busy, failure, blocked, onSubmit }: Props) {
  const { t } = useTranslation('tunnels');
  const [username, setUsername] = useState(() => loadUsername(serialNumber));
  const [method, setMethod] = useState<TerminalLogin['credential']['method']>('password');
  const [password, setPassword] = useState('');
  const [privateKey, setPrivateKey] = useState('');
  const [passphrase, setPassphrase] = useState('');
  const [tried, setTried] = useState(false);

  const errors = {
    username: username.trim() ? undefined : t('form.usernameRequired'),
    privateKey: method === 'private_key' && !privateKey.trim() ? t('form.privateKeyRequired') : undefined,
  };

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    setTried(true);
    if (busy || blocked !== undefined || errors.username || errors.privateKey) return;
    saveUsername(serialNumber, username.trim());
    onSubmit({
      username: username.trim(),
      credential:
        method === 'password'
          ? { method, password }
          : { method, privateKey: `${privateKey.trim()}\n`, ...(passphrase ? { passphrase } : {}) },
    });
  };

  return (
    <Form onSubmit={submit} aria-label={t('form.name', { serialNumber })}>
      <Stack gap="md">
        {failure}
        <TextInput
          label={t('form.username')}
          value={username}
          onChange={(event) => setUsername(event.currentTarget.value)}
          error={tried && errors.username}
          maxLength={64}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
        />
        <SegmentedControl
          aria-label={t('form.method')}
          fullWidth
          value={method}
          onChange={setMethod}
          data={[
            { value: 'password', label: t('form.byPassword') },
            { value: 'private_key', label: t('form.byKey') },
          ]}
        />
        {method === 'password' ? (
          <PasswordInput
            label={t('form.password')}
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            maxLength={1000}
            // Keeps browsers from offering the console's own password to a device.
            autoComplete="new-password"
            autoFocus
          />
        ) : (
          <PrivateKeyFields
            value={privateKey}
            onChange={(key) => setPrivateKey(key.slice(0, limits.privateKeyLength))}
            error={tried && errors.privateKey}
            passphrase={passphrase}
            onPassphraseChange={setPassphrase}
          />
        )}
        <DisabledReason reason={blocked}>
          <Button type="submit" loading={busy} fullWidth>
            {t('form.connect')}
          </Button>
        </DisabledReason>
        {blocked !== undefined && (
          <Text size="sm" c="dimmed" role="status">
            {blocked}
          </Text>
        )}
      </Stack>
    </Form>
  );
}
