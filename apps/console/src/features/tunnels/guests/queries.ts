import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../shared/api/client.ts';
import { queryKeys } from '../../../shared/api/query-keys.ts';

export function guestLinksQuery(serialNumber: string) {
  return queryOptions({
    queryKey: queryKeys.controllers.guestLinksOf(serialNumber),
    queryFn: ({ signal }) => api('listGuestLinks', { params: { serialNumber }, signal }),
  });
}

/** Of all controllers of an organization that the user may share. */
export function organizationGuestLinksQuery(organizationId: string) {
  return queryOptions({
    queryKey: queryKeys.controllers.guestLinksIn(organizationId),
    queryFn: ({ signal }) => api('listOrganizationGuestLinks', { params: { organizationId }, signal }),
  });
}

export interface NewGuestLink {
  name: string;
  service: string;
  isReadOnly: boolean;
  expiresAt: string;
  uses: number;
}

export function useShare(serialNumber: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ service, ...rest }: NewGuestLink) =>
      api('createGuestLink', {
        params: { serialNumber },
        body: { ...rest, service: service === 'http' || service === 'ssh' ? service : Number(service) },
      }),
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.controllers.guestLinks }),
    // The answer holds link and PIN: they are for the dialog alone.
    gcTime: 0,
  });
}

export function useEndGuest(serialNumber: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (linkId: string) => api('deleteGuestLink', { params: { serialNumber, linkId } }),
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.controllers.guestLinks }),
  });
}

/** Refusals are told by the form. */
export function useEnter() {
  return useMutation({
    mutationFn: (body: { token: string; pin: string }) => api('enterAsGuest', { body }),
    meta: { errors: { inPlace: [400, 403, 404, 409, 429, 503], stays: [403] } },
    gcTime: 0,
  });
}
