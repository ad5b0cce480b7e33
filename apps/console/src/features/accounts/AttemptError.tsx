import { Alert, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { AttemptFailure } from './attempt-failure.ts';

interface Props {
  failure: AttemptFailure | undefined;
  secondsLeft: number;
  /** What a wrong one is told as; none where the fields tell it themselves. */
  wrong?: string;
}

/** Why a try failed, above its fields; of what a toast tells, only when the next try counts. */
export function AttemptError({ failure, secondsLeft, wrong }: Props) {
  const { t } = useTranslation('accounts');
  if (!failure || (failure.kind === 'wrong' && wrong === undefined)) return null;
  if (failure.isToasted) {
    return failure.kind === 'throttled' ? (
      <Text size="sm" c="dimmed" className="tabular">
        {t('login.nextTry', { count: secondsLeft })}
      </Text>
    ) : null;
  }
  return (
    <Alert
      color="red"
      variant="light"
      p="xs"
      role="alert"
      styles={{ message: { color: 'inherit' }, root: { color: 'var(--pult-danger)' } }}
    >
      {failure.kind === 'throttled' && t('login.tooMany', { count: secondsLeft })}
      {failure.kind === 'wrong' && wrong}
      {(failure.kind === 'unreachable' || failure.kind === 'failed') && t(`login.${failure.kind}`)}
    </Alert>
  );
}
