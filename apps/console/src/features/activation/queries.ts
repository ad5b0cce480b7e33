import { ApiError, type Controller } from '@pult/contract';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../shared/api/client.ts';
import { queryKeys } from '../../shared/api/query-keys.ts';

const validationKey = ['activation', 'validation'] as const;

/**
 * Which controller a token belongs to, and which device it would replace. Never kept: a token that was good a minute ago may be used by now.
 */
export function validationQuery(token: string) {
  return queryOptions({
    queryKey: [...validationKey, token],
    queryFn: ({ signal }) => api('validateActivation', { body: { token }, signal }),
    // Told in the field of the token.
    meta: { errors: { inPlace: 'refusals' } },
    enabled: token !== '',
    retry: false,
    gcTime: 0,
    staleTime: 0,
    refetchOnWindowFocus: false,
  });
}

interface Activation {
  token: string;
  organizationId: string;
  /** Where it lands; needed from whoever has only parts of the organization. */
  group: string | null;
  description: string;
  /** The fingerprint of the device that is to be replaced, as it was shown. */
  replace?: string;
}

export interface Activated {
  controller: Controller;
  /** The activation holds even where the description could not be saved. */
  isDescribed: boolean;
}

async function activate({
  token,
  organizationId,
  group,
  description,
  replace,
}: Activation): Promise<Activated> {
  const body = {
    token,
    organization: organizationId,
    ...(group === null ? {} : { group }),
    ...(replace === undefined ? {} : { replace }),
  };
  const controller = await api('activateController', { body });
  if (!description) return { controller, isDescribed: true };
  try {
    const params = { serialNumber: controller.serialNumber };
    return {
      controller: await api('updateController', { params, body: { description } }),
      isDescribed: true,
    };
  } catch {
    return { controller, isDescribed: false };
  }
}

export function useActivateController() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: activate,
    onError: (error) => {
      // The controller has another device than it had a moment ago: the token is checked again, and both are shown.
      const isOfDevice = error instanceof ApiError && error.code?.startsWith('replacement_');
      if (isOfDevice) void client.invalidateQueries({ queryKey: validationKey });
    },
    onSuccess: ({ controller }) => {
      client.setQueryData(queryKeys.controllers.detail(controller.serialNumber), controller);
      for (const queryKey of [
        queryKeys.controllers.lists,
        queryKeys.controllers.counts,
        queryKeys.controllersTotal,
      ]) {
        void client.invalidateQueries({ queryKey });
      }
    },
  });
}

export function useCreateOrganization() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (name: string) => api('createOrganization', { body: { name } }),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.organizations.list }),
  });
}
