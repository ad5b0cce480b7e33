import { ApiError } from '@pult/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { readErrorMessages } from './error-messages.ts';

/**
 * Why a call failed, in the server's words where it answered. The body of an answer is read asynchronously; until then,
 * and in place of nothing, there is a no-break space.
 */
export function useErrorMessage(error: unknown): string {
  const { t } = useTranslation('shared');
  const { data } = useQuery({
    queryKey: ['error-messages', error instanceof ApiError ? error.message : ''],
    queryFn: () => (error instanceof ApiError ? readErrorMessages(error) : []),
    staleTime: 0,
    gcTime: 0,
  });
  return error instanceof ApiError ? data?.join(' ') || '\u00a0' : t('unreachable');
}
