import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeTempDir } from '@pult/testkit';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { commands, UsageError } from './commands.ts';

let folder: Awaited<ReturnType<typeof makeTempDir>>;
let dataDir: string;
let printed: string;

beforeEach(async () => {
  folder = await makeTempDir('pult-first-login');
  dataDir = join(folder.path, 'data');
  await mkdir(dataDir);
  vi.stubEnv('DATA_DIR', dataDir);
  printed = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += text;
    return true;
  });
});
afterEach(() => folder.remove());

const run = (...args: string[]) => commands['first-login']?.run(args);

describe('pult first-login', () => {
  it('prints what the first administrator logs in with, with no database to ask', async () => {
    const login = 'Email: admin@example.com\nPassword: qz8vn2xkw0aahr4tm7pe\n';
    await writeFile(join(dataDir, 'first-login'), login);
    await run();
    expect(printed).toBe(login);
  });

  it('tells no empty login out of a file that has none', async () => {
    await writeFile(join(dataDir, 'first-login'), 'something else\n');
    await expect(run()).rejects.toThrow('There is no ');
    expect(printed).toBe('');
  });

  it('says why there may be nothing, and how to get another password', async () => {
    await expect(run()).rejects.toThrow(
      new RegExp(`^There is no ${dataDir}/first-login: .*another node.* user set-password EMAIL$`, 's'),
    );
    await expect(run('admin@example.com')).rejects.toThrow(UsageError);
    expect(printed).toBe('');
  });
});
