/** What people see of the tools: aligned rows, a spinner where there is a terminal, plain lines where there is none. */

export const isTerminal = Boolean(process.stdout.isTTY) && process.env.TERM !== 'dumb';
const hasColour = process.env.FORCE_COLOR
  ? process.env.FORCE_COLOR !== '0'
  : isTerminal && !process.env.NO_COLOR;

// Not util.styleText, which an old Node lacks: even that one is to read what is wrong with it.
/** @param {number} code */
const paint = (code) => (/** @type {string} */ text) =>
  hasColour ? `\u001b[${code}m${text}\u001b[0m` : text;
export const bold = paint(1);
export const dim = paint(2);
export const red = paint(31);
export const green = paint(32);
export const yellow = paint(33);
export const cyan = paint(36);

const marks = { passed: green('✔'), failed: red('✘'), warned: yellow('!'), skipped: dim('–') };
const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const labelWidth = 16;
const detailWidth = 44;

/** An error whose message is all a person needs: shown without a stack. */
export class PlainError extends Error {}

export function print(text = '') {
  if (ticker) clearStatus();
  process.stdout.write(`${text}\n`);
}

/** @param {string} text */
export function printIndented(text) {
  for (const line of text.trimEnd().split('\n')) print(line === '' ? '' : `    ${line}`);
}

/**
 * One finished piece of work. `milliseconds` is left out where time says nothing.
 * @param {keyof typeof marks} mark
 * @param {string} label
 * @param {string} [detail]
 * @param {number} [milliseconds]
 */
export function printRow(mark, label, detail = '', milliseconds) {
  const time = milliseconds === undefined ? '' : dim(formatDuration(milliseconds).padStart(7));
  const text = time ? detail.padEnd(detailWidth) : detail;
  print(`  ${marks[mark]} ${label.padEnd(labelWidth)} ${text}${time}`.trimEnd());
}

/** @param {number} milliseconds */
export function formatDuration(milliseconds) {
  if (milliseconds < 60_000) return `${(milliseconds / 1000).toFixed(1)} s`;
  const seconds = Math.round(milliseconds / 1000);
  return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, '0')} s`;
}

/**
 * Shows `label` with a running clock until `work` ends; what `work` returns as a string becomes the row's detail.
 * Several steps may run at once: they share one status line.
 * @template T
 * @param {string} label
 * @param {() => T | Promise<T>} work
 */
export async function runStep(label, work) {
  const started = performance.now();
  const elapsed = () => performance.now() - started;
  const entry = { label, elapsed };
  showRunning(entry);
  try {
    const detail = await work();
    hideRunning(entry);
    printRow('passed', label, typeof detail === 'string' ? detail : '', elapsed());
    return detail;
  } catch (error) {
    hideRunning(entry);
    printRow('failed', label, '', elapsed());
    throw error;
  }
}

/** @typedef {{ label: string, elapsed: () => number }} RunningWork */

/** @type {Set<RunningWork>} */
const running = new Set();
/** @type {NodeJS.Timeout | undefined} */
let ticker;
let frame = 0;

/** @param {RunningWork} entry */
export function showRunning(entry) {
  running.add(entry);
  if (!isTerminal) return;
  ticker ??= setInterval(drawStatus, 80).unref();
  drawStatus();
}

/** @param {RunningWork} entry */
export function hideRunning(entry) {
  running.delete(entry);
  if (!isTerminal) return;
  clearStatus();
  if (running.size > 0) return;
  clearInterval(ticker);
  ticker = undefined;
}

function drawStatus() {
  frame = (frame + 1) % frames.length;
  const oldest = Math.max(...[...running].map((entry) => entry.elapsed()));
  const names = [...running].map((entry) => entry.label).join(', ');
  const columns = process.stdout.columns ?? 80;
  const text = `${names}  ${formatDuration(oldest)}`.slice(0, columns - 6);
  process.stdout.write(`\r\u001b[2K  ${cyan(frames[frame] ?? '')} ${dim(text)}`);
}

function clearStatus() {
  process.stdout.write('\r\u001b[2K');
}

/**
 * Runs a tool's entry point: plain errors without a stack, exit code 1 for any error.
 * @param {() => Promise<void>} main
 */
export async function runTool(main) {
  try {
    await main();
  } catch (error) {
    process.exitCode = 1;
    if (error instanceof PlainError) print(`\n  ${red(error.message.replaceAll('\n', '\n  '))}\n`);
    else print(`\n${error instanceof Error ? error.stack : error}\n`);
  }
}
