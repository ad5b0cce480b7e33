import { type LevelWithSilent, type Logger, pino } from 'pino';
import pretty from 'pino-pretty';

export type { Logger };

/**
 * One JSON object a line, or a short readable form on a terminal. Headers that hold secrets never get in: the
 * HTTP layer logs a request by method, path and status only.
 */
export function createLog(level: LevelWithSilent): Logger {
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime };
  return process.stdout.isTTY
    ? pino(
        options,
        pretty({ colorize: true, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss', sync: true }),
      )
    : pino(options);
}
