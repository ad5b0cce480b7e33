/** The JSON log of server and agent, made legible on a terminal. Elsewhere lines pass as they are. */

import { bold, cyan, dim, green, red, yellow } from './terminal.mjs';

/** @type {Record<number, string>} */
const levels = {
  10: dim('trace'),
  20: dim('debug'),
  30: green('info '),
  40: yellow('warn '),
  50: red('error'),
  60: red('fatal'),
};
const quiet = new Set([
  'level',
  'time',
  'pid',
  'hostname',
  'msg',
  'name',
  'err',
  'v',
  'reqId',
  'requestId',
  'service',
]);
/** @type {Record<string, string>} */
const sources = { server: cyan('server'), agent: bold('agent '), console: green('console') };

/**
 * The parsed entry, or undefined for a line that is not one.
 * @param {string} line
 * @returns {{ level: number, time?: number, msg?: string, err?: Error, [key: string]: unknown } | undefined}
 */
export function parseLogLine(line) {
  if (!line.startsWith('{')) return undefined;
  try {
    const entry = JSON.parse(line);
    return typeof entry.level === 'number' ? entry : undefined;
  } catch {
    return undefined;
  }
}

/**
 * What an entry says, in one line: with the reason of its error, without which it says little.
 * @param {{ msg?: string, err?: { message?: string } }} entry
 */
export function summarizeEntry({ msg = '', err }) {
  const [reason = ''] = (err?.message ?? '').split('\n', 1);
  return reason && !msg.includes(reason) ? `${msg}: ${reason}` : msg;
}

/**
 * @param {string} source
 * @param {string} line
 */
export function formatLogLine(source, line) {
  const entry = parseLogLine(line);
  const from = sources[source] ?? source;
  if (!entry) return `  ${dim(formatTime())}  ${from}  ${line}`;
  const level = levels[entry.level] ?? String(entry.level);
  const details = Object.entries(entry)
    .filter(([key]) => !quiet.has(key))
    .map(([key, value]) => dim(`${key}=${formatValue(value)}`))
    .join(' ');
  const error = entry.err
    ? `\n${entry.err.stack ?? entry.err.message ?? ''}`.replaceAll('\n', '\n      ')
    : '';
  return (
    `  ${dim(formatTime(entry.time))}  ${from}  ${level}  ${entry.msg ?? ''} ${details}`.trimEnd() + error
  );
}

/** @param {number} [time] */
function formatTime(time = Date.now()) {
  return new Date(time).toLocaleTimeString('en-GB');
}

/** @param {unknown} value */
function formatValue(value) {
  if (typeof value === 'number') return String(Math.round(value * 10) / 10);
  return typeof value === 'string' ? value : JSON.stringify(value);
}
