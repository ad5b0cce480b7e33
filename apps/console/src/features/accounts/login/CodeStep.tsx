import { Button, Stack, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from '../accounts.module.css';
import type { AttemptFailure } from '../attempt-failure.ts';
import { type SecondFactor, SecondFactorForm } from '../totp/SecondFactorForm.tsx';

interface Props {
  email: string;
  isPending: boolean;
  failure: AttemptFailure | undefined;
  secondsLeft: number;
  onSubmit: (factor: SecondFactor) => void;
  onBack: () => void;
}

/** The second step of a login, where the account has a second factor. */
export function CodeStep({ email, onBack, ...form }: Props) {
  const { t } = useTranslation('accounts');
  return (
    <Stack gap="md">
      <Title order={1}>{t('code.loginTitle')}</Title>
      <Text size="sm" className={classes.lead}>
        {t('code.loginText', { email })}
      </Text>
      <SecondFactorForm {...form} submitLabel={t('login.submit')}>
        <Button variant="subtle" color="gray" fullWidth onClick={onBack}>
          {t('login.back')}
        </Button>
      </SecondFactorForm>
    </Stack>
  );
}
