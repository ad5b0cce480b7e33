import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** A password, with the button that shows it in reach of the keyboard and named in the user's language. */
export function PasswordField(props: PasswordInputProps) {
  const { t } = useTranslation('accounts');
  return (
    <PasswordInput
      visibilityToggleFocusable
      visibilityToggleButtonProps={{ 'aria-label': t('password.show') }}
      // Mantine tells of an error by colour alone here.
      aria-invalid={Boolean(props.error)}
      {...props}
    />
  );
}
