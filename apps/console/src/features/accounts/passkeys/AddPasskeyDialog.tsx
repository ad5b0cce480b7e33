import { Stack, Text, TextInput } from '@mantine/core';
import { isCleanText, limits } from '@pult/contract/values';
import { type SubmitEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isConfirmationNeeded } from '../../../shared/api/confirmation.ts';
import { showToast } from '../../../shared/toasts/show-toast.tsx';
import { Form } from '../../../shared/ui/Form.tsx';
import { FormButtons, FormDialog } from '../../../shared/ui/FormDialog.tsx';
import { AttemptError } from '../AttemptError.tsx';
import { useAttempt } from '../use-attempt.ts';
import { useFormErrors } from '../use-form-errors.ts';
import { useAddPasskey } from './queries.ts';
import { isCancelled, isKnownDevice } from './webauthn.ts';

export function AddPasskeyDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation('passkeys');
  return (
    <FormDialog opened={opened} onClose={onClose} title={t('addTitle')}>
      <AddPasskeyForm onClose={onClose} />
    </FormDialog>
  );
}

/** Why the browser has made none. */
function readBrowserRefusal(error: unknown): 'cancelled' | 'known' | undefined {
  if (isCancelled(error)) return 'cancelled';
  return isKnownDevice(error) ? 'known' : undefined;
}

function AddPasskeyForm({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('passkeys');
  const add = useAddPasskey();
  const { failure, secondsLeft } = useAttempt(add);
  const [name, setName] = useState('');
  const { errors, setErrors, clear, read } = useFormErrors();
  const refusal = readBrowserRefusal(add.error);
  /** Before the browser has made one: the server would refuse its name too late. */
  const check = () => {
    if (name.trim() === '') return t('nameRequired');
    return isCleanText(name) ? undefined : t('nameWrong');
  };
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const wrong = check();
    setErrors(wrong === undefined ? {} : { name: wrong });
    if (wrong !== undefined || add.isPending) return;
    add.mutate(name.trim(), {
      onSuccess: () => {
        showToast({ severity: 'success', summary: t('added') });
        onClose();
      },
      onError: read,
    });
  };
  return (
    <Form onSubmit={submit}>
      <Stack gap="md">
        {refusal ? (
          <Text size="sm" role="alert">
            {t(refusal)}
          </Text>
        ) : (
          <AttemptError
            failure={isConfirmationNeeded(add.error) ? undefined : failure}
            secondsLeft={secondsLeft}
            {...(errors.credential === undefined ? {} : { wrong: errors.credential })}
          />
        )}
        <TextInput
          label={t('name')}
          description={t('nameHint')}
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          value={name}
          error={errors.name}
          onChange={(event) => {
            setName(event.currentTarget.value);
            clear('name');
          }}
          maxLength={limits.passkeyNameLength}
          autoComplete="off"
          data-autofocus
        />
        <FormButtons submitLabel={t('submit')} isPending={add.isPending} onClose={onClose} />
      </Stack>
    </Form>
  );
}
