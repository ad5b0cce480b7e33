import { Readable } from 'node:stream';
import type { AuditEvent, Locale, Text } from '@pult/contract';

const columns = [
  { ru: 'Время (UTC)', en: 'Time (UTC)' },
  { ru: 'Событие', en: 'Event' },
  { ru: 'Кто', en: 'Who' },
  { ru: 'Что', en: 'What' },
  { ru: 'Адрес', en: 'Address' },
  { ru: 'Подробности', en: 'Details' },
] satisfies Text[];

/** Without it Excel takes UTF-8 for the system's old code page. */
const byteOrderMark = '\ufeff';

/** RFC 4180. A spreadsheet runs a cell that begins like a formula (OWASP, CSV injection): an apostrophe makes it text. */
function cell(text: string): string {
  const safe = /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function row(cells: readonly string[]): string {
  return `${cells.map(cell).join(',')}\r\n`;
}

function detailsOf({ details }: AuditEvent): string {
  return Object.entries(details)
    .map(([name, value]) => `${name}: ${value}`)
    .join('; ');
}

/** The events as a CSV file that spreadsheets open as it is meant, read only as fast as somebody takes it. */
export function createAuditCsv(parts: AsyncIterable<AuditEvent[]>, locale: Locale): Readable {
  async function* write() {
    yield byteOrderMark + row(columns.map((column) => column[locale]));
    for await (const events of parts) {
      yield events
        .map((event) =>
          row([
            event.at,
            event.action,
            event.user?.email ?? '',
            event.subject,
            event.address,
            detailsOf(event),
          ]),
        )
        .join('');
    }
  }
  return Readable.from(write(), { objectMode: false });
}
