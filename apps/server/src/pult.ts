import { type ParseArgsConfig, parseArgs } from 'node:util';
import { type Command, commands, type GivenOptions, UsageError } from './cli/commands.ts';

/** Administration on the server's own machine: whoever can read its data folder is its administrator. */
async function main(): Promise<void> {
  const [first, ...others] = process.argv.slice(2);
  // `pult admin doctor` is `pult doctor`: the command line for people has the first form, and scripts the second.
  const words = first === 'admin' ? others : process.argv.slice(2);
  const name = Object.keys(commands).find((candidate) =>
    candidate.split(' ').every((word, index) => words[index] === word),
  );
  const command: Command | undefined = name === undefined ? undefined : commands[name];
  if (!command || name === undefined) throw new UsageError();
  const { positionals, given } = readWords(words.slice(name.split(' ').length), command);
  await command.run(positionals, given);
  // A peer that hangs keeps nobody waiting who has the answer already.
  setTimeout(() => process.exit(), 2_000).unref();
}

function readWords(args: string[], { options = [], switches = [] }: Command) {
  const known: NonNullable<ParseArgsConfig['options']> = {
    ...Object.fromEntries(options.map((name) => [name, { type: 'string', multiple: true } as const])),
    ...Object.fromEntries(switches.map((name) => [name, { type: 'boolean' } as const])),
  };
  try {
    const { positionals, values } = parseArgs({ args, options: known, allowPositionals: true });
    const given: GivenOptions = {
      options: Object.fromEntries(
        Object.entries(values).flatMap(([name, value]) =>
          Array.isArray(value) ? [[name, value.map(String)]] : [],
        ),
      ),
      switches: new Set(switches.filter((name) => values[name] === true)),
    };
    return { positionals, given };
  } catch {
    throw new UsageError();
  }
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
