import { parseArgs } from 'node:util';
import { type Command, commands, UsageError } from './cli/commands.ts';

/** Administration on the server's own machine: whoever can read its data folder is its administrator. */
async function main(): Promise<void> {
  const { positionals } = parseArgs({ allowPositionals: true, strict: true });
  const name = Object.keys(commands).find((candidate) =>
    candidate.split(' ').every((word, index) => positionals[index] === word),
  );
  const command: Command | undefined = name === undefined ? undefined : commands[name];
  if (!command || name === undefined) throw new UsageError();
  await command.run(positionals.slice(name.split(' ').length));
}

main().catch((error: unknown) => {
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`${message}\n`);
  if (error instanceof UsageError) {
    for (const [name, { usage, summary }] of Object.entries(commands)) {
      process.stderr.write(`  ${`${name} ${usage}`.padEnd(34)}${summary}\n`);
    }
  }
  process.exitCode = 1;
});
