import {
  describeField,
  type ErrorCode,
  type ErrorValues,
  errorCatalogue,
  formatError,
  wireCode,
} from '@pult/contract';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { isDatabaseOutage } from '../db/outage.ts';
import { DomainError, FieldError } from '../errors.ts';
import { readLocale } from './answer-locale.ts';
import { noteRefusal } from './refused-requests.ts';

/** Errors of Fastify's own, before any handler. */
const frameworkErrors: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large',
  FST_ERR_NOT_FOUND: 'not_found',
};

/** Seconds: the supervisor of the embedded database starts it again as often. */
const outageSeconds = 10;

/** Which error of the catalogue anything thrown is, for the answer and for the log. What is not ours stays in the log. */
export function identifyError(
  error: Error,
  request: FastifyRequest,
): { code: ErrorCode; values: ErrorValues } {
  const found = findError(error, request);
  noteRefusal(request, error instanceof DomainError ? error.logged : { code: found.code });
  return found;
}

function findError(error: Error, request: FastifyRequest): { code: ErrorCode; values: ErrorValues } {
  if (error instanceof DomainError) return { code: error.code, values: error.values };
  const { code, statusCode = 500 } = error as Partial<FastifyError>;
  const framework = frameworkErrors[code ?? ''];
  if (framework) return { code: framework, values: {} };
  if (statusCode < 500) return { code: 'invalid_request', values: {} };
  if (isDatabaseOutage(error)) {
    request.log.error({ err: error }, 'database unavailable');
    return { code: 'service_unavailable', values: { seconds: outageSeconds } };
  }
  request.log.error({ err: error }, 'request failed');
  if (code === 'ENOSPC' || code === 'EDQUOT') return { code: 'storage_full', values: {} };
  return { code: 'internal_error', values: { requestId: request.id } };
}

/** Whoever gets one of these may be told when to come again. */
const retryCodes: ReadonlySet<ErrorCode> = new Set([
  'too_many_attempts',
  'too_many_changes',
  'service_unavailable',
  'node_unreachable',
]);

/** The headers of an error besides its body. */
export function errorHeaders(code: ErrorCode, values: ErrorValues): Record<string, string> {
  return {
    'cache-control': 'no-store',
    vary: 'accept-language',
    ...(retryCodes.has(code) && values.seconds !== undefined
      ? { 'retry-after': String(values.seconds) }
      : {}),
  };
}

/** The one place where anything thrown becomes an answer. */
export function answerError(error: Error, request: FastifyRequest, reply: FastifyReply) {
  const locale = readLocale(request);
  if (error instanceof FieldError) {
    noteRefusal(request, { field: error.field, reason: error.text });
    return reply.status(400).send(describeField(error.field, error.text, locale));
  }
  const { code, values } = identifyError(error, request);
  return reply
    .status(errorCatalogue[code].status)
    .headers(errorHeaders(code, values))
    .send({
      detail: formatError(code, locale, values),
      code: wireCode(code),
      ...('isOAuth' in errorCatalogue[code] ? { error: code } : {}),
    });
}
