import { cpSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { root, runCommand } from '../../tools/processes.mjs';

/**
 * The project once more, to be broken: its files as they are now, and node_modules by links. The workspaces' own links
 * lead into the copy, so that a mutant of the contract is seen by the server's tests.
 */
export async function copyProject(): Promise<string> {
  const copy = mkdtempSync(join(tmpdir(), 'pult-mutations-'));
  const { output } = await runCommand('git', ['ls-files', '--cached', '--others', '--exclude-standard']);
  for (const path of output.split('\n').filter(Boolean)) {
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    cpSync(join(root, path), join(copy, path));
  }
  const modules = join(copy, 'node_modules');
  mkdirSync(join(modules, '@pult'), { recursive: true });
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (name !== '@pult' && name !== '.vite')
      symlinkSync(join(root, 'node_modules', name), join(modules, name));
  }
  for (const [name, folder] of await listWorkspaces()) symlinkSync(join(copy, folder), join(modules, name));
  return copy;
}

async function listWorkspaces(): Promise<[name: string, folder: string][]> {
  const { output } = await runCommand('npm', ['query', '.workspace']);
  const workspaces = JSON.parse(output.slice(output.indexOf('['))) as { name: string; location: string }[];
  return workspaces.map(({ name, location }) => [name, location]);
}
