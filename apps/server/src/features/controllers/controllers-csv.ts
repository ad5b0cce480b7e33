import type { Readable } from 'node:stream';
import {
  type Controller,
  type CsvCell,
  controllerFields,
  exportedFields,
  type Locale,
  type Text,
} from '@pult/contract';
import { type CsvReader, createCsv } from '../../platform/csv.ts';

const fields = exportedFields.map((name) => controllerFields[name]);

function toCell(controller: Controller, field: (typeof fields)[number], locale: Locale): CsvCell {
  if (field.type === 'choice') {
    const choices: Readonly<Record<string, Text>> = field.choices;
    return choices[controller[field.property]]?.[locale] ?? null;
  }
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
