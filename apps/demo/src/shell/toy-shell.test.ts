import { expect, test } from 'vitest';
import { createDemoFiles } from './demo-files.ts';
import { createLineEditor } from './line-editor.ts';
import { openShell, promptOf, runLine } from './toy-shell.ts';

const createShell = () =>
  openShell({ name: 'demo-pump', startedAt: Date.now(), files: createDemoFiles('demo-pump') }, 'demo');

test('the toy shell answers its own words and starts nothing of the machine', () => {
  const shell = createShell();
  expect(runLine('uname -a', shell).output).toMatch(/^Linux demo-pump/);
  expect(runLine('cat /etc/passwd', shell).output).toContain('No such file');
  expect(runLine('cat ../../etc/passwd', shell).output).toContain('No such file');
  expect(runLine('cat __proto__', shell).output).toContain('No such file');
  for (const line of ['id; id', '$(id)', '`id`', 'sh -c id', 'constructor']) {
    expect(runLine(line, shell).output).not.toMatch(/uid=/);
  }
  expect(runLine('exit', shell)).toEqual({ output: '', exit: 0 });
});

test('the toy shell lists files with their sizes, hidden ones where they are asked for', () => {
  const shell = createShell();
  expect(runLine('ls', shell).output).toBe('README.txt  scripts\n');
  const lines = runLine('ls -la', shell).output.trimEnd().split('\n');
  expect(lines[0]).toMatch(/^total \d+$/);
  expect(lines.map((line) => line.split(' ').at(-1))).toEqual(
    expect.arrayContaining(['.', '..', '.profile', 'README.txt', 'scripts']),
  );
  expect(lines.find((line) => line.endsWith('README.txt'))).toMatch(/^-rw-r--r-- 1 demo demo +\d{2,} \w{3} /);
  expect(lines.find((line) => line.endsWith('scripts'))).toMatch(/^drwxr-xr-x 2 /);
  expect(runLine('ls /etc/hostname /no', shell).output).toBe(
    '/etc/hostname:\n/etc/hostname\nls: /no: No such file or directory\n',
  );
});

test('the toy shell goes into folders and changes files', () => {
  const shell = createShell();
  expect(promptOf(shell)).toBe('demo@demo-pump:~$ ');
  runLine('cd scripts', shell);
  expect(promptOf(shell)).toBe('demo@demo-pump:/home/demo/scripts$ ');
  expect(runLine('cat heating.js', shell).output).toContain('defineRule');
  runLine('mkdir ../backup', shell);
  runLine('touch ../backup/note', shell);
  expect(runLine('ls ~/backup', shell).output).toBe('note\n');
  expect(runLine('rmdir ~/backup', shell).output).toBe('rmdir: ~/backup: Directory not empty\n');
  runLine('rm ~/backup/note', shell);
  expect(runLine('rmdir ~/backup', shell).output).toBe('');
  expect(runLine('cd /nowhere', shell).output).toBe('cd: /nowhere: No such file or directory\n');
});

test('its terminal edits lines: backspace, Ctrl+C, arrow keys, Ctrl+D', () => {
  const lines: string[] = [];
  let shown = '';
  let ended = 0;
  const editor = createLineEditor({
    write: (text) => {
      shown += text;
    },
    prompt: () => {
      shown += '$ ';
    },
    onLine: (line) => lines.push(line),
    onEnd: () => {
      ended += 1;
    },
  });
  editor.feed('unami\u007f\u007fme\r');
  editor.feed('rm -rf /\u0003');
  editor.feed('\u001b[Aж\r\n');
  editor.feed('\u0004');
  expect(lines).toEqual(['uname', 'ж']);
  expect(shown).toContain('^C\r\n$ ');
  expect(ended).toBe(1);
});
