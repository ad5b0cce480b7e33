import type { LastMqttData, Locale, SystemMetrics, SystemMetricsRequest } from '@pult/contract';
import type { ControllerCaller } from '../../platform/access/index.ts';
import type { Core } from '../../platform/core.ts';
import type { ControlRow, ControlsRepository } from './controls.repository.ts';
import type { LiveValues } from './live-values.ts';
import { choosePeriod } from './metrics/buckets.ts';
import type { MetricsStore } from './metrics/metrics-store.ts';

interface Dependencies {
  repository: ControlsRepository;
  store: MetricsStore;
  live: LiveValues;
  retentionDays: number;
}

function chooseTitle(titles: { en: string | null; ru: string | null }, locale: Locale, id: string): string {
  return titles[locale] ?? titles.en ?? titles.ru ?? id;
}

function chooseValueTitles(
  titles: NonNullable<ControlRow['value_titles']>,
  locale: Locale,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(titles).map(([value, each]) => [value, chooseTitle(each, locale, value)]),
  );
}

function toControl(row: ControlRow, locale: Locale): LastMqttData['devices'][number]['controls'][number] {
  return {
    id: row.control,
    title: chooseTitle({ en: row.title_en, ru: row.title_ru }, locale, row.control),
    type: row.type,
    value: row.value,
    units: row.units,
    updatedAt: row.updated_at?.toISOString() ?? null,
    ...(row.sort_order === null ? {} : { order: row.sort_order }),
    ...(row.readonly === null ? {} : { readonly: row.readonly }),
    ...(row.error === null ? {} : { error: row.error }),
    ...(row.value_titles === null ? {} : { enum: chooseValueTitles(row.value_titles, locale) }),
  };
}

/** What a controller told last, and what its system measured. */
export function createTelemetryService({ clock }: Core, dependencies: Dependencies) {
  const { repository, store, live, retentionDays } = dependencies;
  return {
    async getLastMqttData(caller: ControllerCaller): Promise<LastMqttData> {
      const { scope, controller, organization, locale } = caller;
      const { id } = controller;
      // First: what changes while it is read is told afterwards.
      live.watch(id, organization.id, controller.serialNumber);
      const [receivedAt, rows] = await Promise.all([
        repository.getReceivedAt(scope, id),
        repository.listControls(scope, id),
      ]);
      const devices = new Map<string, LastMqttData['devices'][number]>();
      for (const row of rows) {
        const titles = { en: row.device_title_en, ru: row.device_title_ru };
        const device = devices.get(row.device) ?? {
          id: row.device,
          title: chooseTitle(titles, locale, row.device),
          controls: [],
        };
        device.controls.push(toControl(row, locale));
        devices.set(row.device, device);
      }
      return { receivedAt: receivedAt?.toISOString() ?? null, devices: [...devices.values()] };
    },

    /** Throws `metrics_unavailable` while the store does not answer. */
    async querySystemMetrics(
      { controller: { id } }: ControllerCaller,
      { name, start, stop }: SystemMetricsRequest,
    ): Promise<SystemMetrics> {
      const period = choosePeriod({ start, stop }, { now: clock.now(), retentionDays });
      if (!period) return [];
      const points = await store.query({ controllerId: id, name, ...period });
      return points.map(({ at, value }) => ({ timestamp: at.toISOString(), value }));
    },
  };
}
export type TelemetryService = ReturnType<typeof createTelemetryService>;
