import { text } from 'node:stream/consumers';
import { createInterface } from 'node:readline';
import { once } from 'node:events';
import { run } from './run.ts';

/** A line from a terminal, all of anything else. */
async function readInput(): Promise<string> {
  if (!process.stdin.isTTY) return text(process.stdin);
  const lines = createInterface({ input: process.stdin });
  const [line] = (await once(lines, 'line')) as [string];
  lines.close();
  return line;
}

// A reader that has seen enough, such as `head`, ends us without a word.
process.stdout.on('error', () => process.exit(0));
process.exitCode = await run(process.argv.slice(2), {
  env: process.env,
  write: (written) => process.stdout.write(written),
  note: (written) => process.stderr.write(written),
  readInput,
});
