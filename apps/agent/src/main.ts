import { setDefaultAutoSelectFamily } from 'node:net';
import { enrolOnce, run, runDoctor, showStatus, unlink } from './commands.ts';
import { type Command, readCommandLine } from './config/command-line.ts';
import { helpText } from './config/help.ts';
import { agentVersion } from './version.ts';

// Node 18.19 has it, its types do not.
declare module 'node:net' {
  function setDefaultAutoSelectFamily(isOn: boolean): void;
}

const print = (line: string) => {
  process.stdout.write(`${line}\n`);
};
const printError = (line: string) => {
  process.stderr.write(`pult-agent: ${line}\n`);
};

async function execute(command: Command): Promise<number> {
  switch (command.name) {
    case 'help':
      process.stdout.write(helpText);
      return 0;
    case 'version':
      print(agentVersion);
      return 0;
    case 'problems':
      for (const problem of command.problems) printError(problem);
      printError('see pult-agent --help');
      return 2;
    case 'run':
      return run(command.config, print);
    case 'status':
      return showStatus(command.config, print);
    case 'doctor':
      return runDoctor(command.config, print);
    case 'enroll':
      return enrolOnce(command.config, print);
    case 'unlink':
      return unlink(command.config, print);
  }
}

// Node 18 dials the first address of a name alone, which is none where IPv6 leads nowhere; later ones dial the others too.
setDefaultAutoSelectFamily(true);

// Whoever reads our output may go away (a closed terminal, a pipe): that must not end the link.
process.stdout.on('error', () => {});
process.stderr.on('error', () => {});

try {
  // Exits although a connection may linger: the server knows by now, and systemd waits for us.
  process.exit(await execute(readCommandLine(process.argv.slice(2), process.env)));
} catch (error) {
  printError(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
