import { relative } from 'node:path';
import { endWithChildren, root } from '../processes.mjs';
import { print, printIndented, red } from '../terminal.mjs';
import { readWorkerLog } from './worker-log.ts';

/** Ends the whole process as failed after `minutes`, and names the test files that were running. Returns what calls it off. */
export function setDeadline(what: string, minutes: number): () => void {
  const timer = setTimeout(() => {
    const running = readWorkerLog().filter(({ isRunning }) => isRunning);
    print(`\n${red(`${what} took longer than ${minutes} minutes. Running were:`)}\n`);
    printIndented([...new Set(running.map(({ file }) => relative(root, file)))].join('\n') || 'no test file');
    print(`\n${red('0 passed, 1 failed')}`);
    endWithChildren('SIGTERM', 1);
  }, minutes * 60_000);
  timer.unref();
  return () => clearTimeout(timer);
}
