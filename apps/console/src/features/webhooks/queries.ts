import type { CreateWebhookRequest, UpdateWebhookRequest } from '@pult/contract';
import { webhookDeliveryStates } from '@pult/contract/values';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../shared/api/client.ts';
import { queryKeys } from '../../shared/api/query-keys.ts';
import { defineList } from '../../shared/search/define-list.ts';
import { oneOf, paging } from '../../shared/search/search-parts.ts';

/** Only for those who manage them: for others the call is refused. */
export function webhooksQuery(organizationId: string) {
  return queryOptions({
    queryKey: queryKeys.webhooks.list(organizationId),
    queryFn: ({ signal }) => api('listWebhooks', { params: { organizationId }, signal }),
  });
}

interface WebhookParams {
  organizationId: string;
  webhookId: string;
}

/** Which deliveries are shown; it lives in the address. */
export const deliveriesList = defineList('listWebhookDeliveries', queryKeys.webhooks.all, {
  state: oneOf(webhookDeliveryStates),
  ...paging(),
});

export function deliveryQuery(params: WebhookParams, deliveryId: string) {
  return queryOptions({
    queryKey: queryKeys.webhooks.delivery(deliveryId),
    queryFn: ({ signal }) => api('getWebhookDelivery', { params: { ...params, deliveryId }, signal }),
  });
}

function useRefresh() {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: queryKeys.webhooks.all });
}

export interface WebhookForm {
  name: string;
  url: string;
  /** Null: all. */
  events: CreateWebhookRequest['events'];
  enabled: boolean;
  newSecret: boolean;
}

/** `webhookId` undefined: a new one. */
export function useSaveWebhook(organizationId: string, webhookId: string | undefined) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: ({ name, url, events, enabled, newSecret }: WebhookForm) => {
      if (webhookId === undefined) {
        return api('createWebhook', { params: { organizationId }, body: { name, url, events } });
      }
      // An address that cannot be read any more stays as it is unless another is typed.
      const body: UpdateWebhookRequest = { name, events, enabled, newSecret, ...(url ? { url } : {}) };
      return api('updateWebhook', { params: { organizationId, webhookId }, body });
    },
    onSettled: refresh,
    // The answer may hold the key: it is for the dialog alone.
    gcTime: 0,
  });
}

export function useDeleteWebhook(organizationId: string) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (webhookId: string) => api('deleteWebhook', { params: { organizationId, webhookId } }),
    onSettled: refresh,
  });
}

export function useTestWebhook(organizationId: string) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (webhookId: string) => api('testWebhook', { params: { organizationId, webhookId } }),
    onSettled: refresh,
  });
}

export function useRepeatDelivery(params: WebhookParams) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (deliveryId: string) => api('repeatWebhookDelivery', { params: { ...params, deliveryId } }),
    onSettled: refresh,
  });
}
