/**
 * A shell that is none: a few words with fixed answers. Nothing of the machine is read, nothing is started, so the demo
 * can let anyone in.
 */

const files: Record<string, string> = {
  '/etc/os-release': 'PRETTY_NAME="Demo controller (nothing here is real)"\nID=demo\n',
  '/etc/motd': 'This is the toy shell of `npm run demo`. Type help.\n',
  '/var/log/boiler.log': '12:40 supply 64.2 return 48.1\n12:41 supply 64.4 return 48.0\n',
};

const help = `Commands of the toy shell: cat, date, df, echo, exit, free, help, hostname, ls, ps, uname, uptime, whoami
Nothing here is real: no command of the machine runs, no file of it is read.
`;

export interface Outcome {
  output: string;
  /** The session ends with this code. */
  exit?: number;
}

function list(folder = '/'): string {
  const base = folder === '/' ? '/' : `${folder.replace(/(?<!\/)\/+$/, '')}/`;
  const names = Object.keys(files)
    .filter((path) => path.startsWith(base))
    .map((path) => path.slice(base.length).split('/')[0] ?? '');
  const found = [...new Set(names)].join('  ');
  return found ? `${found}\n` : `ls: ${folder}: No such file or directory\n`;
}

function printTable(rows: readonly string[]): string {
  return `${rows.join('\n')}\n`;
}

export function runLine(line: string, host: { name: string; startedAt: number }): Outcome {
  const [command = '', ...args] = line.trim().split(/\s+/);
  const minutes = Math.floor((Date.now() - host.startedAt) / 60_000);
  switch (command) {
    case '':
      return { output: '' };
    case 'help':
      return { output: help };
    case 'exit':
    case 'logout':
      return { output: '', exit: 0 };
    case 'whoami':
      return { output: 'demo\n' };
    case 'hostname':
      return { output: `${host.name}\n` };
    case 'uname':
      return { output: args.includes('-a') ? `Linux ${host.name} 6.8.0-demo armv7l\n` : 'Linux\n' };
    case 'uptime':
      return { output: `up ${minutes} min, load average: 0.08, 0.05, 0.01\n` };
    case 'date':
      return { output: `${new Date().toUTCString()}\n` };
    case 'echo':
      return { output: `${args.join(' ')}\n` };
    case 'ls':
      return { output: list(args.at(-1)) };
    case 'cat':
      return {
        output: args
          .map(
            (path) =>
              (Object.hasOwn(files, path) ? files[path] : undefined) ??
              `cat: ${path}: No such file or directory\n`,
          )
          .join(''),
      };
    case 'df':
      return {
        output: printTable(['Filesystem  Size  Used  Use%  Mounted on', '/dev/root   3.6G  1.2G   34%  /']),
      };
    case 'free':
      return { output: printTable(['        total   used   free', 'Mem:   2048 M  412 M  1636 M']) };
    case 'ps':
      return { output: printTable(['  PID COMMAND', '    1 init', '  212 pult-agent', '  230 boiler']) };
    default:
      return { output: `${command}: not found. Try help\n` };
  }
}
