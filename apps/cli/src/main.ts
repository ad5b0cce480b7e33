import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { run } from './run.ts';

const readInput = () => text(process.stdin);

/** A line from a terminal, which does not show it; all of anything else. */
async function readSecret(prompt: string): Promise<string> {
  if (!process.stdin.isTTY) return readInput();
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true, historySize: 0 });
  // Only now, when the terminal repeats nothing of what is typed.
  process.stderr.write(prompt);
  try {
    return await new Promise((resolve) => {
      lines.once('line', resolve);
      lines.once('close', () => resolve(''));
    });
  } finally {
    lines.close();
    process.stderr.write('\n');
  }
}

// A reader that has seen enough, such as `head`, ends us without a word.
process.stdout.on('error', () => process.exit(0));
process.exitCode = await run(process.argv.slice(2), {
  env: process.env,
  write: (written) => process.stdout.write(written),
  note: (written) => process.stderr.write(written),
  isTerminal: process.stdout.isTTY === true,
  readInput,
  readSecret,
});
