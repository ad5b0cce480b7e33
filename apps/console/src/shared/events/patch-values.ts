import type { LastMqttData, OrganizationEvent } from '@pult/contract';
import type { QueryClient } from '@tanstack/react-query';
import { queryKeys } from '../api/query-keys.ts';

export type ValuesEvent = Extract<OrganizationEvent, { type: 'controller.values' }>;

function patch(data: LastMqttData, { receivedAt, controls }: ValuesEvent): LastMqttData {
  const changes = new Map(controls.map((each) => [`${each.device}\n${each.control}`, each]));
  const devices = data.devices.map((device) => {
    if (!device.controls.some(({ id }) => changes.has(`${device.id}\n${id}`))) return device;
    const patched = device.controls.map((control) => {
      const change = changes.get(`${device.id}\n${control.id}`);
      return change ? { ...control, value: change.value, updatedAt: change.updatedAt } : control;
    });
    return { ...device, controls: patched };
  });
  return { receivedAt, devices };
}

/** Writes changed values into the cached ones of their controller; what was not told is read anew. */
export function patchValues(client: QueryClient, event: ValuesEvent): void {
  const queryKey = queryKeys.controllers.valuesOf(event.serialNumber);
  client.setQueryData<LastMqttData>(queryKey, (data) => data && patch(data, event));
  if (event.isPartial) void client.invalidateQueries({ queryKey });
}
