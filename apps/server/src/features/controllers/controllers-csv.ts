import type { Readable } from 'node:stream';
import {
  type Controller,
  type ControllerStatus,
  type CsvCell,
  connectionKindTable,
  controllerFields,
  exportedFields,
  type Locale,
  type Text,
} from '@pult/contract';
import { type CsvReader, createCsv } from '../../platform/csv.ts';

const statusTexts: Record<ControllerStatus, Text> = {
  online: { ru: 'В сети', en: 'Online' },
  offline: { ru: 'Не в сети', en: 'Offline' },
  never: { ru: 'Не подключался', en: 'Never connected' },
};

const fields = exportedFields.map((name) => controllerFields[name]);

function toCell(controller: Controller, field: (typeof fields)[number], locale: Locale): CsvCell {
  if (field.type === 'status') return statusTexts[controller.status][locale];
  if (field.type === 'connection') return connectionKindTable[controller.connectionKind].label[locale];
  if (field.type === 'time' || field.type === 'timeOrNever') {
    const time = controller[field.property];
    return time === null ? null : new Date(time);
  }
  const value = controller[field.property];
  return typeof value === 'object' ? (value?.name ?? null) : value;
}

export function createControllersCsv(parts: AsyncIterable<Controller[]>, reader: CsvReader): Readable {
  const { locale } = reader;
  const header = fields.map(({ exported }) => exported[locale]);
  const toCells = (controller: Controller) => fields.map((field) => toCell(controller, field, locale));
  return createCsv(header, parts, toCells, reader);
}
