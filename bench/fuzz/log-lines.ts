import type { RunningProcess } from '@pult/testkit';

/** Types of errors that nobody throws on purpose. */
const faults = ['TypeError', 'RangeError', 'ReferenceError', 'SyntaxError', 'AssertionError'];
/** Of Node.js itself, in lines that are no entries of the log. */
const unhandled = /unhandled|uncaught|assertion|warning|^\s+at /i;

/** Those of the last lines that tell of something nobody has thought of. */
export function findUnforeseen(process: RunningProcess, lines: number): string[] {
  if (lines === 0) return [];
  return process.tail(lines).split('\n').slice(1, -1).filter(isUnforeseen);
}

function isUnforeseen(line: string): boolean {
  try {
    const { level, err } = JSON.parse(line) as { level: number; err?: { type?: string } };
    return level >= 50 || faults.includes(err?.type ?? '');
  } catch {
    return unhandled.test(line);
  }
}
