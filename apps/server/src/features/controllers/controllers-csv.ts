import type { Readable } from 'node:stream';
import type { Controller, ControllerStatus, Locale, Text } from '@pult/contract';
import { type CsvCell, createCsv } from '../../platform/csv.ts';

const statusTexts: Record<ControllerStatus, Text> = {
  online: { ru: 'В сети', en: 'Online' },
  offline: { ru: 'Не в сети', en: 'Offline' },
  never: { ru: 'Не подключался', en: 'Never connected' },
};

const columns: readonly [Text, (controller: Controller, locale: Locale) => CsvCell][] = [
  [{ ru: 'Серийный номер', en: 'Serial number' }, ({ serialNumber }) => serialNumber],
  [{ ru: 'Описание', en: 'Description' }, ({ description }) => description],
  [{ ru: 'Организация', en: 'Organization' }, ({ organization }) => organization.name],
  [{ ru: 'Группа', en: 'Group' }, ({ group }) => group?.name ?? null],
  [{ ru: 'Состояние', en: 'Status' }, ({ status }, locale) => statusTexts[status][locale]],
  [{ ru: 'На связи (UTC)', en: 'Last seen (UTC)' }, ({ lastSeenAt }) => lastSeenAt],
  [{ ru: 'Прошивка', en: 'Firmware' }, ({ firmwareVersion }) => firmwareVersion],
  [{ ru: 'Модель', en: 'Model' }, ({ model }) => model],
  [{ ru: 'Версия агента', en: 'Agent version' }, ({ agentVersion }) => agentVersion],
  [{ ru: 'Широта', en: 'Latitude' }, ({ latitude }) => latitude],
  [{ ru: 'Долгота', en: 'Longitude' }, ({ longitude }) => longitude],
  [{ ru: 'Активирован (UTC)', en: 'Activated (UTC)' }, ({ activatedAt }) => activatedAt],
];

export function createControllersCsv(parts: AsyncIterable<Controller[]>, locale: Locale): Readable {
  const header = columns.map(([title]) => title[locale]);
  return createCsv(header, parts, (controller) => columns.map(([, read]) => read(controller, locale)));
}
