import { Stack, Textarea, TextInput } from '@mantine/core';
import { limits, type SshKey } from '@pult/contract';
import type { UseMutationResult } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isConfirmationNeeded } from '../../../shared/api/confirmation.ts';
import { showToast } from '../../../shared/toasts/show-toast.tsx';
import { CopyText } from '../../../shared/ui/CopyText.tsx';
import { FormButtons, FormDialog } from '../../../shared/ui/FormDialog.tsx';
import { useAttempt } from '../use-attempt.ts';
import { useFormErrors } from '../use-form-errors.ts';
import { AttemptError } from './AttemptError.tsx';
import classes from './accounts.module.css';

const makeKey = 'ssh-keygen -t ed25519';

interface Props {
  /** Whose key it becomes. */
  add: UseMutationResult<SshKey, Error, { name: string; publicKey: string }>;
  opened: boolean;
  onClose: () => void;
}

export function AddSshKeyDialog({ add, opened, onClose }: Props) {
  const { t } = useTranslation('security');
  return (
    <FormDialog opened={opened} onClose={onClose} title={t('sshKeys.addTitle')} size={520}>
      <AddSshKeyForm add={add} onClose={onClose} />
    </FormDialog>
  );
}

function AddSshKeyForm({ add, onClose }: Omit<Props, 'opened'>) {
  const { t } = useTranslation('security');
  const { failure, secondsLeft } = useAttempt(add);
  const { errors, setErrors, clear, read } = useFormErrors();
  const [publicKey, setPublicKey] = useState('');
  /** Undefined until it is typed: the key's own comment stands for it. */
  const [typedName, setTypedName] = useState<string>();
  const name = typedName ?? readSshKeyComment(publicKey).slice(0, limits.sshKeyNameLength);

  const take = (text: string) => {
    clear('publicKey');
    // It stays neither in the field nor in this page's memory.
    if (isPrivateSshKey(text)) {
      setPublicKey('');
      setErrors({ publicKey: t('sshKeys.privateKey') });
    } else setPublicKey(text);
  };
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (add.isPending || secondsLeft > 0) return;
    const missing = {
      ...(publicKey.trim() ? {} : { publicKey: t('sshKeys.publicKeyRequired') }),
      ...(name.trim() ? {} : { name: t('sshKeys.nameRequired') }),
    };
    setErrors(missing);
    if (Object.keys(missing).length > 0) return;
    const onSuccess = () => {
      showToast({ severity: 'success', summary: t('sshKeys.done') });
      onClose();
    };
    add.mutate({ name, publicKey }, { onSuccess, onError: read });
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <AttemptError
          failure={isConfirmationNeeded(add.error) ? undefined : failure}
          secondsLeft={secondsLeft}
        />
        <div>
          <Textarea
            label={t('sshKeys.publicKey')}
            description={t('sshKeys.publicKeyHint')}
            inputWrapperOrder={['label', 'input', 'error', 'description']}
            classNames={{ input: classes.keyText ?? '' }}
            value={publicKey}
            error={errors.publicKey}
            onChange={(event) => take(event.currentTarget.value)}
            placeholder="ssh-ed25519 AAAAC3…"
            maxLength={limits.sshPublicKeyLength}
            rows={4}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            data-autofocus
          />
          <div className={classes.keyCommand}>
            <CopyText text={makeKey} form="block" />
          </div>
        </div>
        <TextInput
          label={t('sshKeys.name')}
          placeholder={t('sshKeys.namePlaceholder')}
          value={name}
          error={errors.name}
          onChange={(event) => {
            setTypedName(event.currentTarget.value);
            clear('name');
          }}
          maxLength={limits.sshKeyNameLength}
          autoComplete="off"
        />
        <FormButtons
          submitLabel={t('sshKeys.add')}
          isPending={add.isPending}
          isDisabled={secondsLeft > 0}
          onClose={onClose}
        />
      </Stack>
    </form>
  );
}

/** The secret half of a key, in the forms of OpenSSH, OpenSSL and PuTTY: it must not even be sent. */
function isPrivateSshKey(text: string): boolean {
  return /-----BEGIN [A-Z ]*PRIVATE KEY-----|^\s*PuTTY-User-Key-File-/.test(text);
}

/** What follows the key in a line of a .pub file, usually `user@computer`. */
function readSshKeyComment(text: string): string {
  return /^\S+ +[A-Za-z0-9+/]+={0,2} +(\S.*)$/.exec(text.trim())?.[1]?.trim() ?? '';
}
