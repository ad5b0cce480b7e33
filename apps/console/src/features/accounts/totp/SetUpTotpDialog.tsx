import { Anchor, Button, Image, Modal, Skeleton, Stack, Text } from '@mantine/core';
import { limits } from '@pult/contract';
import { type SubmitEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CopyText } from '../../../shared/ui/CopyText.tsx';
import { ErrorState } from '../../../shared/ui/ErrorState.tsx';
import { Form } from '../../../shared/ui/Form.tsx';
import { AttemptError } from '../AttemptError.tsx';
import classes from '../accounts.module.css';
import { hasCode } from '../attempt-failure.ts';
import type { useActivateTotp, useSetUpTotp } from '../security/queries.ts';
import { useAttempt } from '../use-attempt.ts';
import { CodeField } from './CodeField.tsx';

interface FormProps {
  setUp: ReturnType<typeof useSetUpTotp>;
  activate: ReturnType<typeof useActivateTotp>;
  onClose: () => void;
}

interface Props extends FormProps {
  opened: boolean;
}

export function SetUpTotpDialog({ opened, ...form }: Props) {
  const { t } = useTranslation(['security', 'shared']);
  return (
    <Modal
      opened={opened}
      onClose={form.onClose}
      title={t('setUp.title')}
      closeButtonProps={{ 'aria-label': t('close', { ns: 'shared' }) }}
      closeOnClickOutside={false}
      size={420}
    >
      {form.setUp.isError ? (
        <ErrorState error={form.setUp.error} onRetry={() => form.setUp.mutate()} />
      ) : (
        <SetUpForm {...form} />
      )}
    </Modal>
  );
}

function SetUpForm({ setUp, activate, onClose }: FormProps) {
  const { t } = useTranslation(['security', 'accounts']);
  const { failure, secondsLeft } = useAttempt(activate);
  const [code, setCode] = useState('');
  const { data } = setUp;

  const submit = (digits: string) => {
    if (digits.length < limits.totpCodeLength || !data || activate.isPending || secondsLeft > 0) return;
    activate.mutate(digits, {
      onSuccess: onClose,
      onError: (error) => {
        setCode('');
        // Done in another tab, or started so long ago that the server has forgotten it.
        if (hasCode(error, 'totp_already_enabled')) onClose();
        if (hasCode(error, 'totp_setup_missing')) setUp.mutate();
      },
    });
  };
  return (
    <Form
      onSubmit={(event: SubmitEvent<HTMLFormElement>) => {
        event.preventDefault();
        submit(code);
      }}
    >
      <Stack gap="md">
        <Text size="sm">{t('setUp.scan')}</Text>
        {data ? (
          <Image src={data.qrCode} alt={t('setUp.qr')} className={classes.qr} />
        ) : (
          <Skeleton className={classes.qr} />
        )}
        {data?.uri.startsWith('otpauth:') && (
          <Anchor href={data.uri} size="sm" ta="center" hiddenFrom="xs">
            {t('setUp.open')}
          </Anchor>
        )}
        <div className={classes.secret}>
          <Text size="xs" c="dimmed" mb={4}>
            {t('setUp.byHand')}
          </Text>
          {data ? <CopyText form="block" text={data.secret} /> : <Skeleton height={40} />}
        </div>
        <AttemptError failure={failure} secondsLeft={secondsLeft} />
        <CodeField
          label={t('setUp.codeLabel')}
          value={code}
          error={failure?.kind === 'wrong' && code === '' && t('code.wrong', { ns: 'accounts' })}
          readOnly={activate.isPending}
          onChange={(digits) => {
            setCode(digits);
            submit(digits);
          }}
        />
        <Button
          type="submit"
          fullWidth
          loading={activate.isPending}
          disabled={code.length < limits.totpCodeLength || secondsLeft > 0}
        >
          {t('setUp.submit')}
        </Button>
      </Stack>
    </Form>
  );
}
