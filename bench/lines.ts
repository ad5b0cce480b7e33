/**
 * `npm run bench lines [-- --lines edge,3g --peers direct,Pult --parts load,mix,page,start,idle,cut --seconds N --at-once N --tls]`: what
 * people notice of a poor line, against direct access over the same. The lines are made here, in network namespaces, which takes root and
 * some programs.
 */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { makeTempDir } from '@pult/testkit';
import { findMissing, isolate } from './lines/namespaces.ts';
import { type LineOptions, readLineOptions } from './lines/options.ts';
import { print } from './tunnel/figures.ts';
import { describeMachine } from './tunnel/machine.ts';

/** Prints what a line's own process says once it has ended, so that lines measured at the same time stay apart. */
async function runLine(name: string, options: LineOptions, folder: string): Promise<void> {
  const program = fileURLToPath(new URL('./lines/run-line.ts', import.meta.url));
  const own = ['--import', 'tsx', program, name, JSON.stringify(options)];
  const [command, args] = isolate(process.execPath, own);
  const env = { ...process.env, TMPDIR: folder };
  const child = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'inherit'] });
  let output = '';
  for await (const chunk of child.stdout.setEncoding('utf8')) output += chunk;
  process.stdout.write(output);
  if (child.exitCode === null) await new Promise((resolve) => child.once('exit', resolve));
  if (child.exitCode !== 0) print(`${name}: ended with ${child.exitCode ?? child.signalCode}`);
}

const options = readLineOptions(process.argv.slice(2));
const missing = findMissing();
print(await describeMachine());
if (missing !== undefined) throw new Error(`no network namespaces here: ${missing}`);
await using folder = await makeTempDir('lines');
print(`Times in seconds, p50 / p95; ${options.atOnce} lines at once, ${options.seconds} s each`);
const waiting = [...options.lines];
const work = async () => {
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift())
    await runLine(name, options, folder.path);
};
await Promise.all(Array.from({ length: options.atOnce }, work));
