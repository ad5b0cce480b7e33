import { Button, Modal, Stack, Text } from '@mantine/core';
import type { TotpScope } from '@pult/contract';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { answerConfirmation } from '../../../shared/api/confirmation.ts';
import { useVerifyTotp } from '../security/queries.ts';
import { useAttempt } from '../use-attempt.ts';
import { SecondFactorForm } from './SecondFactorForm.tsx';

interface Props {
  /** What is to be confirmed; closed without one. */
  scope: TotpScope | undefined;
}

/** Above the dialog whose action is to be confirmed. */
const zIndex = 300;

/** Asks for a code before the call that needs it is repeated. */
export function ConfirmationDialog({ scope }: Props) {
  const { t } = useTranslation(['security', 'shared']);
  const shown = useRef(scope);
  // What was asked last stays while the dialog fades.
  if (scope !== undefined) shown.current = scope;
  return (
    <Modal
      opened={scope !== undefined}
      onClose={() => answerConfirmation(false)}
      title={t('confirmation.title')}
      closeButtonProps={{ 'aria-label': t('close', { ns: 'shared' }) }}
      // A typed code is not lost by a slip of the pointer. Escape is the host's.
      closeOnClickOutside={false}
      closeOnEscape={false}
      size={420}
      zIndex={zIndex}
    >
      {shown.current && <ScopeForm key={shown.current} scope={shown.current} />}
    </Modal>
  );
}

function ScopeForm({ scope }: { scope: TotpScope }) {
  const { t } = useTranslation(['security', 'shared']);
  const verify = useVerifyTotp(scope);
  const attempt = useAttempt(verify);
  return (
    <Stack gap="md">
      <Text size="sm">{t(`confirmation.${scope}`)}</Text>
      <SecondFactorForm
        submitLabel={t('confirmation.submit')}
        isPending={verify.isPending}
        {...attempt}
        onSubmit={(factor) => verify.mutate(factor, { onSuccess: () => answerConfirmation(true) })}
      >
        <Button variant="default" fullWidth onClick={() => answerConfirmation(false)}>
          {t('cancel', { ns: 'shared' })}
        </Button>
      </SecondFactorForm>
    </Stack>
  );
}
