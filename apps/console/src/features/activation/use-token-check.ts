import { useDebouncedValue } from '@mantine/hooks';
import { ApiError, type Replacement } from '@pult/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { validationQuery } from './queries.ts';

export type TokenCheck =
  | { state: 'empty' }
  | { state: 'checking' }
  | { state: 'valid'; serialNumber: string; replacement?: Replacement | undefined }
  | { state: 'invalid'; reason: string };

/** Asks the server about a token, a moment after the last key. */
export function useTokenCheck(token: string): TokenCheck {
  const { t } = useTranslation(['activation', 'shared']);
  const [settled] = useDebouncedValue(token, 300);
  const { data, error, isFetching } = useQuery(validationQuery(settled));
  if (token === '') return { state: 'empty' };
  if (token !== settled || isFetching) return { state: 'checking' };
  if (data) {
    const { controllerSerialNumber: serialNumber, replacement } = data;
    return { state: 'valid', serialNumber, replacement };
  }
  if (!(error instanceof ApiError)) return { state: 'invalid', reason: t('unreachable', { ns: 'shared' }) };
  if (error.status === 429) return { state: 'invalid', reason: t('tooManyAttempts') };
  const isRefused = error.status === 400;
  return { state: 'invalid', reason: t(isRefused ? 'tokenInvalid' : 'checkFailed') };
}
