import { Stack, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { limits, type SshKey } from '@pult/contract';
import type { UseMutationResult } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { readFieldErrors } from '../../../shared/api/error-messages.ts';
import { showToast } from '../../../shared/toasts/show-toast.tsx';
import { CopyText } from '../../../shared/ui/CopyText.tsx';
import { Form } from '../../../shared/ui/Form.tsx';
import { FormButtons, FormDialog } from '../../../shared/ui/FormDialog.tsx';
import classes from '../accounts.module.css';

/** Makes a key somebody's. */
export type AddSshKey = UseMutationResult<SshKey, Error, { name: string; publicKey: string }>;

interface Props {
  add: AddSshKey;
  opened: boolean;
  onClose: () => void;
}

export function AddSshKeyDialog({ opened, ...form }: Props) {
  const { t } = useTranslation('security');
  return (
    <FormDialog opened={opened} onClose={form.onClose} title={t('sshKeys.addTitle')} size={520}>
      <AddSshKeyForm {...form} />
    </FormDialog>
  );
}

function AddSshKeyForm({ add, onClose }: Omit<Props, 'opened'>) {
  const { t } = useTranslation('security');
  const form = useForm({
    initialValues: { publicKey: '', name: '' },
    validate: {
      publicKey: (value) => (value.trim() ? null : t('sshKeys.publicKeyRequired')),
      name: (value) => (value.trim() ? null : t('sshKeys.nameRequired')),
    },
  });
  /** The name as a key's comment gave it: any other was typed. */
  const [taken, setTaken] = useState('');
  const take = (publicKey: string) => {
    // A secret one stays neither in the field nor in this page's memory.
    const isPrivate = isPrivateSshKey(publicKey);
    form.setFieldValue('publicKey', isPrivate ? '' : publicKey);
    if (isPrivate) return form.setFieldError('publicKey', t('sshKeys.privateKey'));
    if (form.values.name !== taken) return;
    const name = readSshKeyComment(publicKey).slice(0, limits.sshKeyNameLength);
    form.setValues({ name });
    setTaken(name);
  };
  const submit = form.onSubmit((values) =>
    add.mutate(values, {
      onSuccess: () => {
        showToast({ severity: 'success', summary: t('sshKeys.done') });
        onClose();
      },
      onError: async (error) => form.setErrors(await readFieldErrors(error)),
    }),
  );
  return (
    <Form onSubmit={submit}>
      <Stack gap="md">
        <div>
          <Textarea
            {...form.getInputProps('publicKey')}
            label={t('sshKeys.publicKey')}
            description={t('sshKeys.publicKeyHint')}
            inputWrapperOrder={['label', 'input', 'error', 'description']}
            classNames={{ input: classes.keyText ?? '' }}
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
            <CopyText text="ssh-keygen -t ed25519" form="block" />
          </div>
        </div>
        <TextInput
          {...form.getInputProps('name')}
          label={t('sshKeys.name')}
          placeholder={t('sshKeys.namePlaceholder')}
          maxLength={limits.sshKeyNameLength}
          autoComplete="off"
        />
        <FormButtons submitLabel={t('sshKeys.add')} isPending={add.isPending} onClose={onClose} />
      </Stack>
    </Form>
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
