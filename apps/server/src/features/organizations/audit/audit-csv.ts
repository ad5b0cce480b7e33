import type { Readable } from 'node:stream';
import type { Text } from '@pult/contract';
import { type CsvReader, createCsv } from '../../../platform/csv.ts';
import type { RecordedEvent } from './audit-log.repository.ts';

const columns = [
  { ru: 'Время (UTC)', en: 'Time (UTC)' },
  { ru: 'Событие', en: 'Event' },
  { ru: 'Кто', en: 'Who' },
  { ru: 'Что', en: 'What' },
  { ru: 'Адрес', en: 'Address' },
  { ru: 'Подробности', en: 'Details' },
  // Last, so that the columns before stay where scripts know them.
  { ru: 'Сколько раз', en: 'Times' },
  { ru: 'В последний раз (UTC)', en: 'Last time (UTC)' },
] satisfies Text[];

function detailsOf({ details }: RecordedEvent): string {
  return Object.entries(details)
    .map(([name, value]) => `${name}: ${value}`)
    .join('; ');
}

/** The events as a CSV file. */
export function createAuditCsv(parts: AsyncIterable<RecordedEvent[]>, reader: CsvReader): Readable {
  return createCsv(
    columns.map((column) => column[reader.locale]),
    parts,
    (event) => [
      new Date(event.at),
      event.action,
      event.user?.email ?? '',
      event.subject,
      event.address,
      detailsOf(event),
      event.count,
      new Date(event.lastAt),
    ],
    reader,
  );
}
