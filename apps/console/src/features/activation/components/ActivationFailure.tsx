import { Alert } from '@mantine/core';
import { ApiError } from '@pult/contract';
import { useTranslation } from 'react-i18next';

/** Why the last try to add the controller came to nothing, beside the button that was pressed. */
export function ActivationFailure({ error }: { error: unknown }) {
  const { t } = useTranslation(['activation', 'shared']);
  const text = () => {
    if (!(error instanceof ApiError)) return t('unreachable', { ns: 'shared' });
    if (error.code === 'activation_token_invalid') return t('tokenInvalid');
    if (error.code === 'controllers_limit_reached') return t('limitReached');
    if (error.code === 'serial_number_taken') return t('taken');
    return t('notActivated');
  };
  return (
    <Alert color="red" variant="light">
      {text()}
    </Alert>
  );
}
