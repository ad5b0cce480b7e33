import { Anchor, Button, Stack, TextInput } from '@mantine/core';
import { limits, type PasskeyProof } from '@pult/contract';
import { type ReactNode, type SubmitEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Form } from '../../../shared/ui/Form.tsx';
import { AttemptError } from '../AttemptError.tsx';
import classes from '../accounts.module.css';
import type { AttemptFailure } from '../attempt-failure.ts';
import { PasskeyOffer } from '../passkeys/PasskeyOffer.tsx';
import { CodeField, type CodeFieldProps } from './CodeField.tsx';

/** What the user confirms by: a code of the authenticator app, a recovery code, or a passkey. */
export type SecondFactor = { code: string } | { recoveryCode: string } | { passkey: PasskeyProof };

interface Props {
  submitLabel: string;
  isPending: boolean;
  failure: AttemptFailure | undefined;
  secondsLeft: number;
  onSubmit: (factor: SecondFactor) => void;
  /** The way back, beside the button or below it. */
  children: ReactNode;
}

/** A complete code is sent at once; after a wrong one the field is empty again. */
export function SecondFactorForm({
  submitLabel,
  isPending,
  failure,
  secondsLeft,
  onSubmit,
  children,
}: Props) {
  const { t } = useTranslation('accounts');
  const [isRecovery, setIsRecovery] = useState(false);
  const [value, setValue] = useState('');
  /** Pressed the button too early. */
  const [isSubmitted, setIsSubmitted] = useState(false);
  /** The last refusal is of what is typed now. */
  const [isCurrent, setIsCurrent] = useState(true);
  const [isByPasskey, setIsByPasskey] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const isBlocked = isPending || secondsLeft > 0;
  const isComplete = isRecovery ? value.trim() !== '' : value.length === limits.totpCodeLength;
  const isWrong = failure?.kind === 'wrong';
  const send = (factor: SecondFactor) => {
    setIsCurrent(true);
    setIsByPasskey('passkey' in factor);
    onSubmit(factor);
  };

  // A wrong recovery code stays: of 25 characters one is mistyped, and only one.
  useEffect(() => {
    if (isPending) return;
    if (isWrong && !isRecovery) setValue('');
    field.current?.focus();
  }, [isPending, isWrong, isRecovery]);

  const change = (typed: string) => {
    setIsSubmitted(false);
    setIsCurrent(false);
    setValue(typed);
    if (!isRecovery && typed.length === limits.totpCodeLength && !isBlocked) send({ code: typed });
  };
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    setIsSubmitted(true);
    if (isComplete && !isBlocked) send(isRecovery ? { recoveryCode: value.trim() } : { code: value });
  };
  const missing = t(isRecovery ? 'code.recoveryRequired' : 'code.incomplete');
  const error =
    isSubmitted && !isComplete
      ? missing
      : isWrong && !isByPasskey && isCurrent && !isPending && t('code.wrong');
  const Field = isRecovery ? RecoveryCodeField : CodeField;
  return (
    <Form onSubmit={submit}>
      <Stack gap="md">
        <AttemptError
          failure={isWrong && !isByPasskey ? undefined : failure}
          secondsLeft={secondsLeft}
          wrong={t('passkey.wrong')}
        />
        <Field ref={field} value={value} error={error} readOnly={isPending} onChange={change} />
        <Anchor
          component="button"
          type="button"
          size="sm"
          ta="start"
          w="fit-content"
          onClick={() => {
            setIsRecovery(!isRecovery);
            setIsSubmitted(false);
            setIsCurrent(false);
            setValue('');
          }}
        >
          {t(isRecovery ? 'code.useApp' : 'code.useRecovery')}
        </Anchor>
        <Button type="submit" fullWidth loading={isPending} disabled={secondsLeft > 0}>
          {submitLabel}
        </Button>
        <PasskeyOffer use="code" disabled={isBlocked} onProof={(passkey) => send({ passkey })} />
        {children}
      </Stack>
    </Form>
  );
}

/** As written down: the server reads it with or without its hyphens. */
function RecoveryCodeField({ ref, value, error, readOnly, onChange }: CodeFieldProps) {
  const { t } = useTranslation('accounts');
  return (
    <TextInput
      ref={ref ?? null}
      label={t('code.recoveryLabel')}
      description={t('code.recoveryHint')}
      value={value}
      error={error}
      readOnly={readOnly}
      onChange={(event) => onChange(event.currentTarget.value)}
      maxLength={limits.recoveryCodeLength * 2}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      classNames={{ input: classes.recoveryCode ?? '' }}
      autoFocus
    />
  );
}
