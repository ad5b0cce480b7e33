import { z } from 'zod';
import { isTimeZone } from '../csv.ts';
import { limits } from '../limits.ts';
import { id, requiredText, text } from './text.ts';

/**
 * Query parameters arrive as strings. An empty one counts as absent, as the console never sends it
 * (spec-coverage: accept-language from the stored preference); a repeated one arrives as an array and is refused by the string schema.
 */
export function optionalQuery<T extends z.ZodType>(schema: T) {
  return z.preprocess((value) => (value === '' ? undefined : value), schema.optional());
}

function integer(minimum: number, maximum: number) {
  return z
    .string()
    .regex(/^\d{1,9}$/, 'invalid')
    .transform(Number)
    .pipe(z.number().min(minimum).max(maximum));
}

/** `page` starts at 1; `page_size` 0 or absent means the server's default. */
export const pageQuery = {
  page: optionalQuery(integer(1, limits.pageMax)),
  page_size: optionalQuery(integer(0, limits.pageSizeMax)),
};

/** A case-insensitive "contains" filter. */
export const containsFilter = optionalQuery(text(limits.filterLength));

/** `true` or `false`. */
export const booleanQuery = optionalQuery(
  z
    .string()
    .regex(/^(true|false)$/, 'boolean_text')
    .transform((value) => value === 'true'),
);

/** A decimal number within bounds. */
export function numberQuery(minimum: number, maximum: number) {
  return optionalQuery(
    z
      .string()
      .max(limits.filterLength)
      .regex(/^-?\d+(\.\d+)?(e-?\d+)?$/i, 'invalid')
      .transform(Number)
      .pipe(z.number().min(minimum).max(maximum)),
  );
}

/**
 * Of a file: as the reader's spreadsheet takes it, in their language and by the clock of this zone, such as `Europe/Moscow`.
 * Without it the file is for programs: RFC 4180, times in UTC.
 */
export const spreadsheetQuery = {
  time_zone: optionalQuery(z.string().max(64).refine(isTimeZone, 'time_zone')),
};

/** A comma list of ids. */
export function idsQuery(maximum: number) {
  return optionalQuery(
    z
      .string()
      .max(maximum * 37)
      .transform((value) => value.split(','))
      .pipe(z.array(id).max(maximum)),
  );
}

/** A comma list of versions. */
export function versionsQuery(maximum: number) {
  return optionalQuery(
    z
      .string()
      .max(maximum * (limits.versionLength + 1))
      .transform((value) => value.split(','))
      .pipe(z.array(requiredText(limits.versionLength)).max(maximum)),
  );
}

/** A comma list of allowed values; any of them matches. */
export function oneOrMoreOf<const Value extends string>(values: readonly Value[]) {
  return optionalQuery(
    z
      .string()
      // All of them may be chosen.
      .max(Math.max(limits.filterLength, values.join(',').length))
      .transform((text, context): Value[] => {
        const chosen = text.split(',').map((part) => values.find((value) => value === part));
        if (chosen.every((value) => value !== undefined)) return chosen;
        context.addIssue({ code: 'invalid_value', values: [...values], input: text });
        return z.NEVER;
      }),
  );
}

/** One key of an ordering and its direction. */
export interface OrderBy<Key extends string> {
  key: Key;
  descending: boolean;
}

/** A comma list of allowed keys, `-` before a key for descending. */
export function ordering<const Key extends string>(keys: readonly Key[]) {
  return optionalQuery(
    z
      .string()
      .max(limits.filterLength)
      .transform((value, context): OrderBy<Key>[] => {
        const order: OrderBy<Key>[] = [];
        for (const part of value.split(',')) {
          const descending = part.startsWith('-');
          const key = keys.find((allowed) => allowed === part.slice(descending ? 1 : 0));
          if (key === undefined || order.some((earlier) => earlier.key === key)) {
            context.addIssue({ code: 'invalid_value', values: [...keys], input: value });
            return z.NEVER;
          }
          order.push({ key, descending });
        }
        return order;
      }),
  );
}

/** A page of a list: `count` of all matches, and the addresses of the pages beside it. */
export function pageOf<T extends z.ZodType>(item: T) {
  return z.object({
    count: z.number().int(),
    next: z.string().nullable(),
    previous: z.string().nullable(),
    results: z.array(item),
  });
}
