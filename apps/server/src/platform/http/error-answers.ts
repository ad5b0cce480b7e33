import {
  describeField,
  type ErrorCode,
  type ErrorValues,
  errorCatalogue,
  formatError,
  negotiateLocale,
} from '@pult/contract';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { DomainError, FieldError } from '../errors.ts';

/** Errors of Fastify's own, before any handler. */
const frameworkErrors: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large',
  FST_ERR_NOT_FOUND: 'not_found',
};

/** PostgreSQL's and the socket's ways to say that the database is not there now (SQLSTATE classes 08, 53, 57P). */
function isDatabaseOutage(error: { code?: unknown; message: string }): boolean {
  if (/connection terminated|timeout exceeded when trying to connect/i.test(error.message)) return true;
  return (
    typeof error.code === 'string' && /^(08|53|57P|ECONNREFUSED$|ECONNRESET$|ENOENT$|EPIPE$)/.test(error.code)
  );
}

/** Answers `{detail, code}` in the request's language. */
export function sendError(
  request: FastifyRequest,
  reply: FastifyReply,
  code: ErrorCode,
  values: ErrorValues = {},
) {
  const locale = negotiateLocale(request.headers['accept-language']);
  const { status } = errorCatalogue[code];
  if (status === 429 && values.seconds !== undefined)
    void reply.header('retry-after', String(values.seconds));
  void reply.headers({ 'cache-control': 'no-store', vary: 'accept-language' });
  return reply.status(status).send({ detail: formatError(code, locale, values), code });
}

/** The one place where anything thrown becomes an answer. What is not ours stays in the log. */
export function answerError(error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply) {
  if (error instanceof DomainError) return sendError(request, reply, error.code, error.values);
  if (error instanceof FieldError) {
    const locale = negotiateLocale(request.headers['accept-language']);
    return reply.status(400).send(describeField(error.field, error.text, locale));
  }
  const framework = 'code' in error ? frameworkErrors[error.code] : undefined;
  if (framework) return sendError(request, reply, framework);
  if ('statusCode' in error && error.statusCode !== undefined && error.statusCode < 500) {
    return sendError(request, reply, 'invalid_request');
  }
  if (isDatabaseOutage(error)) {
    request.log.error({ error: error.message }, 'database unavailable');
    return sendError(request, reply, 'service_unavailable');
  }
  request.log.error({ err: error }, 'request failed');
  return sendError(request, reply, 'internal_error', { requestId: request.id });
}
