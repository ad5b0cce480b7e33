import type { Permission } from '@pult/contract';
import { useMutation } from '@tanstack/react-query';
import { api } from '../../../shared/api/client.ts';
import { queryKeys } from '../../../shared/api/query-keys.ts';

/** Told in the field of the code. */
const meta = { errors: { inPlace: [400] } };

export function useFindDeviceLogin() {
  return useMutation({
    mutationFn: (userCode: string) => api('findDeviceLogin', { body: { userCode } }),
    meta,
    // It says who asked a moment ago; another look asks anew.
    gcTime: 0,
  });
}

export type DeviceLoginAnswer = { userCode: string } & (
  | { isAllowed: true; scopes: Permission[] }
  | { isAllowed: false }
);

export function useAnswerDeviceLogin() {
  return useMutation({
    mutationFn: async ({ userCode, ...answer }: DeviceLoginAnswer): Promise<void> => {
      if (answer.isAllowed) {
        await api('approveDeviceLogin', { body: { userCode, scopes: answer.scopes } });
      } else await api('denyDeviceLogin', { body: { userCode } });
    },
    meta,
    onSettled: (_data, _error, _answer, _result, { client }) =>
      client.invalidateQueries({ queryKey: queryKeys.tokens }),
  });
}
