import { type ErrorCode, type ErrorValues, formatError } from '@pult/contract';
import type { LinkRefusal } from '@pult/link';

/** How the server says no to a device: in English, for its log, with both addresses where they differ. */
export function describeRefusal(code: ErrorCode, values: ErrorValues): LinkRefusal {
  const refusal: LinkRefusal = { code, detail: formatError(code, 'en', values) };
  if (code !== 'link_url_mismatch') return refusal;
  return {
    ...refusal,
    presentedUrl: String(values.given),
    expectedUrls: String(values.expected).split(', '),
  };
}
