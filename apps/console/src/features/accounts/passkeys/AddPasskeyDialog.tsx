import { Stack, Text, TextInput } from '@mantine/core';
import { limits } from '@pult/contract/values';
import { type SubmitEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isConfirmationNeeded } from '../../../shared/api/confirmation.ts';
import { showToast } from '../../../shared/toasts/show-toast.tsx';
import { FormButtons, FormDialog } from '../../../shared/ui/FormDialog.tsx';
import { AttemptError } from '../components/AttemptError.tsx';
import { useAttempt } from '../use-attempt.ts';
import { useAddPasskey } from './queries.ts';
import { isCancelled } from './webauthn.ts';

export function AddPasskeyDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation('passkeys');
  return (
    <FormDialog opened={opened} onClose={onClose} title={t('addTitle')}>
      <AddPasskeyForm onClose={onClose} />
    </FormDialog>
  );
}

function AddPasskeyForm({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('passkeys');
  const add = useAddPasskey();
  const { failure, secondsLeft } = useAttempt(add);
  const [name, setName] = useState('');
  const [isMissing, setIsMissing] = useState(false);
  const wasCancelled = isCancelled(add.error);
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    setIsMissing(name.trim() === '');
    if (name.trim() === '' || add.isPending) return;
    add.mutate(name.trim(), {
      onSuccess: () => {
        showToast({ severity: 'success', summary: t('added') });
        onClose();
      },
    });
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        {wasCancelled ? (
          <Text size="sm" role="alert">
            {t('cancelled')}
          </Text>
        ) : (
          <AttemptError
            failure={isConfirmationNeeded(add.error) ? undefined : failure}
            secondsLeft={secondsLeft}
          />
        )}
        <TextInput
          label={t('name')}
          description={t('nameHint')}
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          value={name}
          error={isMissing && t('nameRequired')}
          onChange={(event) => {
            setName(event.currentTarget.value);
            setIsMissing(false);
          }}
          maxLength={limits.passkeyNameLength}
          autoComplete="off"
          data-autofocus
        />
        <FormButtons submitLabel={t('submit')} isPending={add.isPending} onClose={onClose} />
      </Stack>
    </form>
  );
}
