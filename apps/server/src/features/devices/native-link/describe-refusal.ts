import { type ErrorCode, type ErrorValues, formatError } from '@pult/contract';
import type { Refusal } from '@pult/link';

/** How the server says no to a device: in English, for its log, with both addresses where they differ. */
export function describeRefusal(code: ErrorCode, values: ErrorValues): Refusal {
  const refusal: Refusal = { code, detail: formatError(code, 'en', values) };
  if (code !== 'link_url_mismatch') return refusal;
  return {
    ...refusal,
    presentedUrl: String(values.given),
    expectedUrls: String(values.expected).split(', '),
  };
}
