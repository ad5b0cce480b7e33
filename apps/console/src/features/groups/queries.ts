import { ApiError } from '@pult/contract';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../shared/api/client.ts';
import { readErrorMessages, readFieldErrors } from '../../shared/api/error-messages.ts';
import type { CallErrors } from '../../shared/api/errors.ts';
import { type Filters, queryKeys } from '../../shared/api/query-keys.ts';

/** Tree and dialogs say themselves what was refused. */
export const groupErrors: CallErrors = { inPlace: 'refusals' };

/**
 * Why a call of groups was refused, to be shown where it was asked for: such calls have no toast
 * (spec-coverage: controllers-count and groups stay silent).
 * Undefined for what the error catalogue tells or leads elsewhere: no session, no right, no server.
 */
export async function readRefusal(error: unknown): Promise<string | undefined> {
  if (!(error instanceof ApiError)) return undefined;
  const { status } = error;
  if (status === 401 || status === 403 || status >= 500) return undefined;
  const fields = Object.values(await readFieldErrors(error));
  return (fields.length > 0 ? fields : await readErrorMessages(error)).join(' ');
}

/** Of one organization: the list's filters but the group. */
export type TreeFilters = Filters & { organization_id: string };

/** The trees are whole; their counts follow the filters. While those change, the last counts stay. */
export function groupsQuery(filters: TreeFilters) {
  return queryOptions({
    queryKey: queryKeys.groups.tree(filters),
    queryFn: ({ signal }) => api('listGroups', { query: filters, signal }),
    meta: { errors: groupErrors },
    placeholderData: (previous, query) =>
      query?.queryKey[3].organization_id === filters.organization_id ? previous : undefined,
  });
}

/** How many match in all groups and in none; the same entry as the list's own count where the filters are. */
export function matchingCountQuery(filters: TreeFilters) {
  return queryOptions({
    queryKey: queryKeys.controllers.count(filters),
    queryFn: ({ signal }) => api('countControllers', { query: filters, signal }),
    meta: { isBackground: true, errors: groupErrors },
  });
}

/** A group's name stands in rows and views of controllers, and its controllers are counted. */
export function useRefresh() {
  const client = useQueryClient();
  return () =>
    Promise.all(
      [queryKeys.groups.all, queryKeys.controllers.all].map((queryKey) =>
        client.invalidateQueries({ queryKey }),
      ),
    );
}

export function useCreateGroup(organizationId: string) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: ({ name, parent }: { name: string; parent: string | null }) =>
      api('createGroup', { body: { name, parent, organization: organizationId } }),
    meta: { errors: groupErrors },
    onSuccess: refresh,
  });
}

export function useUpdateGroup() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: ({ groupId, ...body }: { groupId: string; name?: string; parent?: string | null }) =>
      api('updateGroup', { params: { groupId }, body }),
    meta: { errors: groupErrors },
    onSuccess: refresh,
  });
}

export function useDeleteGroup() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (groupId: string) => api('deleteGroup', { params: { groupId } }),
    meta: { errors: groupErrors },
    onSuccess: refresh,
  });
}

/** Puts one controller into a group, or out of all. */
export function useMoveController(serialNumber: string) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (groupId: string | null) => {
      const body = { controllers: [serialNumber] };
      return groupId === null
        ? api('detachControllers', { body })
        : api('attachControllers', { params: { groupId }, body });
    },
    meta: { errors: groupErrors },
    onSuccess: refresh,
  });
}
