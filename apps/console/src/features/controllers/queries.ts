import type { Controller } from '@pult/contract';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../shared/api/client.ts';
import { downloadCsv } from '../../shared/api/download-csv.ts';
import { type Filters, queryKeys } from '../../shared/api/query-keys.ts';
import { boundsOf, joinBounds } from '../../shared/map/bounds.ts';

/** While the next page loads the last one stays, but never one of another organization. */
export function controllersQuery(filters: Filters) {
  return queryOptions({
    queryKey: queryKeys.controllers.list(filters),
    queryFn: ({ signal }) => api('listControllers', { query: filters, signal }),
    placeholderData: (previous, query) =>
      isSameOrganization(query?.queryKey[2], filters) ? previous : undefined,
  });
}

export function controllersCountQuery(filters: Filters) {
  return queryOptions({
    queryKey: queryKeys.controllers.count(filters),
    queryFn: ({ signal }) => api('countControllers', { query: filters, signal }),
    // A figure beside the list, which tells what is wrong with its filters.
    meta: { errors: { inPlace: 'refusals' } },
    placeholderData: (previous, query) =>
      isSameOrganization(query?.queryKey[2], filters) ? previous : undefined,
  });
}

function isSameOrganization(earlier: Filters | undefined, now: Filters): boolean {
  return earlier?.organization_id === now.organization_id;
}

export function controllerQuery(serialNumber: string) {
  return queryOptions({
    queryKey: queryKeys.controllers.detail(serialNumber),
    queryFn: ({ signal }) => api('getController', { params: { serialNumber }, signal }),
  });
}

/** Around the others of its group, else of its organization, that have coordinates; null where none has. */
export function regionQuery({ organization, group }: Controller) {
  const inOrganization = { organization_id: organization.id, located: true };
  const filters = group ? { ...inOrganization, group_ids: group.id } : inOrganization;
  return queryOptions({
    queryKey: queryKeys.controllers.region(filters),
    queryFn: async ({ signal }) => {
      const findRegion = async (query: Filters) => {
        const { features } = await api('mapControllers', { query: { ...query, zoom: 0 }, signal });
        return joinBounds(features.map(boundsOf));
      };
      return (await findRegion(filters)) ?? (await findRegion(inOrganization)) ?? null;
    },
    meta: { isBackground: true, errors: { inPlace: 'refusals' } },
  });
}

export type ControllerChange = Partial<Pick<Controller, 'description' | 'latitude' | 'longitude'>>;

export function useUpdateController(serialNumber: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: ControllerChange) => api('updateController', { params: { serialNumber }, body }),
    onSuccess: (controller) => {
      client.setQueryData(controllerQuery(serialNumber).queryKey, controller);
      return client.invalidateQueries({ queryKey: queryKeys.controllers.lists });
    },
  });
}

export function useDeleteController(serialNumber: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => api('deleteController', { params: { serialNumber } }),
    // A role that is too weak is told here, and the controller stays in sight.
    meta: { errors: { stays: [403] } },
    onSuccess: () => {
      for (const key of [
        queryKeys.controllers.lists,
        queryKeys.controllers.counts,
        queryKeys.controllersTotal,
      ]) {
        void client.invalidateQueries({ queryKey: key });
      }
    },
  });
}

/** Saves all that match the filters, whatever page is shown, as a file. */
export function useExportControllers(filters: Filters) {
  return useMutation({
    mutationFn: () => downloadCsv('exportControllers', { query: filters }, 'controllers.csv'),
  });
}
