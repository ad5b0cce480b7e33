import { Alert } from '@mantine/core';
import { isToasted, useErrorMessage } from '../../shared/api/error-messages.ts';

/** Why a sign-in does not go on, in the server’s words. */
export function SignInError({ error }: { error: unknown }) {
  const message = useErrorMessage(error);
  if (isToasted(error)) return null;
  return (
    <Alert
      color="red"
      variant="light"
      p="xs"
      role="alert"
      styles={{ message: { color: 'inherit' }, root: { color: 'var(--pult-danger)' } }}
    >
      {message}
    </Alert>
  );
}
