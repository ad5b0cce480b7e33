/**
 * A shell that is none: a few words over files in memory. Nothing of the machine is read, nothing is started, so the demo
 * can let anyone in.
 */

import { posix } from 'node:path';
import { home } from './demo-files.ts';
import { sizeOf, writeLongLine } from './list-entries.ts';
import { type Entry, type FileFailure, FileRefused, type MemoryFiles } from './memory-files.ts';

const help = `Commands of the toy shell: cat, cd, date, df, echo, exit, free, help, hostname, ls, mkdir, ps, pwd, rm, rmdir,
touch, uname, uptime, whoami. Nothing here is real: no command of the machine runs, no file of it is read.
`;

export interface Host {
  name: string;
  startedAt: number;
  files: MemoryFiles;
}

/** One login: whose it is, and where it stands. */
export interface Shell {
  host: Host;
  user: string;
  folder: string;
}

export interface Outcome {
  output: string;
  /** The session ends with this code. */
  exit?: number;
}

const explanations: Record<FileFailure, string> = {
  not_found: 'No such file or directory',
  exists: 'File exists',
  not_a_folder: 'Not a directory',
  not_a_file: 'Is a directory',
  not_empty: 'Directory not empty',
  no_space: 'No space left on device',
};

export const openShell = (host: Host, user: string): Shell => ({ host, user, folder: home });

/** What stands before the cursor. */
export const promptOf = ({ host, user, folder }: Shell) =>
  `${user}@${host.name}:${folder === home ? '~' : folder}${user === 'root' ? '#' : '$'} `;

/** Letters of options and what they stand before: `ls -la /etc`. */
function parseArguments(args: readonly string[]) {
  const options = new Set(args.filter((arg) => /^-\w/.test(arg)).flatMap((arg) => [...arg.slice(1)]));
  return { options, names: args.filter((arg) => !arg.startsWith('-')) };
}

function listEntries(named: [string, Entry][], isLong: boolean): string {
  if (!isLong) return named.length > 0 ? `${named.map(([name]) => name).join('  ')}\n` : '';
  const width = Math.max(...named.map(([, entry]) => String(sizeOf(entry)).length), 1);
  return named.map(([name, entry]) => `${writeLongLine(name, entry, { width })}\n`).join('');
}

function listPath(
  files: MemoryFiles,
  { path, shown }: { path: string; shown: string },
  options: Set<string>,
): string {
  const found = files.find(path);
  const isLong = options.has('l');
  if (found.kind === 'file') return listEntries([[shown, found]], isLong);
  const isAll = options.has('a');
  const entries = [...found.entries]
    .filter(([name]) => isAll || options.has('A') || !name.startsWith('.'))
    .sort(([one], [other]) => one.localeCompare(other));
  const above = files.find(posix.dirname(path));
  const all: [string, Entry][] = isAll ? [['.', found], ['..', above], ...entries] : entries;
  const total = isLong
    ? `total ${all.reduce((sum, [, entry]) => sum + Math.ceil(sizeOf(entry) / 1024), 0)}\n`
    : '';
  return total + listEntries(all, isLong);
}

/** Runs `work` for each name; a refusal is a line as the real command would write it. */
function forEach(command: string, names: readonly string[], work: (name: string) => string): string {
  return names
    .map((name) => {
      try {
        return work(name);
      } catch (error) {
        if (!(error instanceof FileRefused)) throw error;
        return `${command}: ${name}: ${explanations[error.reason]}\n`;
      }
    })
    .join('');
}

function runFileCommand(shell: Shell, command: string, args: readonly string[]): string | undefined {
  const { files } = shell.host;
  const { options, names } = parseArguments(args);
  const at = (name: string) => posix.resolve(shell.folder, name.replace(/^~(?=\/|$)/, home));
  const each = (work: (path: string) => string) => {
    if (names.length === 0) return `${command}: missing operand\n`;
    return forEach(command, names, (name) => work(at(name)));
  };
  const change = (work: (path: string) => void) =>
    each((path) => {
      work(path);
      return '';
    });
  switch (command) {
    case 'ls': {
      const asked = names.length > 0 ? names : ['.'];
      const title = (name: string) => (asked.length > 1 ? `${name}:\n` : '');
      return forEach(
        command,
        asked,
        (name) => title(name) + listPath(files, { path: at(name), shown: name }, options),
      );
    }
    case 'cd':
      return forEach(command, [names[0] ?? '~'], (name) => {
        files.findFolder(at(name));
        shell.folder = at(name);
        return '';
      });
    case 'cat':
      return each((path) => files.readText(path));
    case 'touch':
      return change((path) => {
        if (files.has(path)) files.find(path).modified = new Date();
        else files.makeFile(path);
      });
    case 'mkdir':
      return change((path) => files.makeFolder(path));
    case 'rmdir':
      return change((path) => files.removeFolder(path));
    case 'rm':
      return change((path) => files.removeFile(path));
    default:
      return undefined;
  }
}

const printTable = (rows: readonly string[]) => `${rows.join('\n')}\n`;

function formatSize(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)}M`;
}

export function runLine(line: string, shell: Shell): Outcome {
  const { host } = shell;
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
      return { output: `${shell.user}\n` };
    case 'hostname':
      return { output: `${host.name}\n` };
    case 'pwd':
      return { output: `${shell.folder}\n` };
    case 'uname':
      return { output: args.includes('-a') ? `Linux ${host.name} 6.8.0-demo armv7l\n` : 'Linux\n' };
    case 'uptime':
      return { output: `up ${minutes} min, load average: 0.08, 0.05, 0.01\n` };
    case 'date':
      return { output: `${new Date().toUTCString()}\n` };
    case 'echo':
      return { output: `${args.join(' ')}\n` };
    case 'df':
      return {
        output: printTable([
          'Filesystem  Size  Avail  Mounted on',
          `memory      8.0M  ${formatSize(host.files.freeBytes).padStart(5)}  /`,
        ]),
      };
    case 'free':
      return { output: printTable(['        total   used   free', 'Mem:   2048 M  412 M  1636 M']) };
    case 'ps':
      return { output: printTable(['  PID COMMAND', '    1 init', '  212 pult-agent', '  230 heating']) };
    default:
      return { output: runFileCommand(shell, command, args) ?? `${command}: not found. Try help\n` };
  }
}
