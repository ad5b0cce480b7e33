import { text } from 'node:stream/consumers';
import { run } from './run.ts';

// A reader that has seen enough, such as `head`, ends us without a word.
process.stdout.on('error', () => process.exit(0));
process.exitCode = await run(process.argv.slice(2), {
  env: process.env,
  write: (written) => process.stdout.write(written),
  note: (written) => process.stderr.write(written),
  isTerminal: process.stdout.isTTY === true,
  isTyped: process.stdin.isTTY === true,
  readInput: () => text(process.stdin),
});
