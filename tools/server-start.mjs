/** How `npm start` and `npm run demo` wait for the server, and say why it did not come. */

import { setTimeout as wait } from 'node:timers/promises';
import { formatLogLine, parseLogLine } from './log-lines.mjs';
import { isReady } from './settings.mjs';
import { PlainError } from './terminal.mjs';

const startTimeout = 90_000;

/**
 * Resolves when the server of these settings answers that it is ready.
 * @param {import('./service.mjs').Service} server
 * @param {import('./settings.mjs').Addresses} settings
 */
export async function waitForServer(server, settings) {
  const deadline = performance.now() + startTimeout;
  while (!(await isReady(settings))) {
    if (!server.isRunning) throw explainEnd(server);
    if (performance.now() > deadline)
      throw explainEnd(server, `did not get ready in ${startTimeout / 1000} s`);
    await wait(25);
  }
  // Something else may answer on that port while ours has failed.
  if (!server.isRunning) throw explainEnd(server);
  return 'ready';
}

/**
 * With the last lines of its log.
 * @param {import('./service.mjs').Service} server
 */
export function explainEnd(server, what = 'could not start') {
  const lines = server.tail.slice(-20).map((line) => {
    const entry = parseLogLine(line);
    return entry ? formatLogLine('server', line) : `  ${line}`;
  });
  return new PlainError(`The server ${what}.\n\n${lines.join('\n')}`.trimEnd());
}
