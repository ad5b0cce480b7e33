import { createRequire } from 'node:module';
import { type LevelWithSilent, type Logger, pino } from 'pino';
import type { PinoPretty } from 'pino-pretty';

export type { Logger };

/**
 * One JSON object a line, or a short readable form on a terminal. Headers that hold secrets never get in: the
 * HTTP layer logs a request by method, path and status only.
 */
export function createLog(level: LevelWithSilent): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: serializeError },
  };
  if (!process.stdout.isTTY) return pino(options);
  // Services and `npm start` have no terminal, and start the sooner for not loading it.
  const pretty: typeof PinoPretty = createRequire(import.meta.url)('pino-pretty');
  return pino(
    options,
    pretty({ colorize: true, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss', sync: true }),
  );
}

/**
 * What the log says of an error: its type, message and code, and the stacks of it and of its causes. Not pino's own
 * serializer, which copies every property: clients of S3 and HTTP keep requests with their credentials there, and
 * PostgreSQL the row that it refused.
 */
export function serializeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { code } = error as NodeJS.ErrnoException;
  return {
    type: error.name,
    message: error.message,
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    stack: describeStack(error),
  };
}

/** How many causes are followed: an error may be its own. */
const maxCauses = 5;

function describeStack(error: Error, depth = 0): string {
  const causes = [error.cause, ...(error instanceof AggregateError ? error.errors : [])];
  const stacks = causes.flatMap((cause) =>
    cause instanceof Error && depth < maxCauses ? [`caused by: ${describeStack(cause, depth + 1)}`] : [],
  );
  return [error.stack ?? `${error.name}: ${error.message}`, ...stacks].join('\n');
}
