import { expect, test } from 'vitest';
import { createLineEditor } from './line-editor.ts';
import { runLine } from './toy-shell.ts';

const host = { name: 'demo', startedAt: Date.now() };

test('the toy shell answers its own words and starts nothing of the machine', () => {
  expect(runLine('uname -a', host).output).toMatch(/^Linux demo/);
  expect(runLine('cat /etc/passwd', host).output).toContain('No such file');
  expect(runLine('cat ../../etc/passwd', host).output).toContain('No such file');
  expect(runLine('cat __proto__', host).output).toContain('No such file');
  for (const line of ['id; id', '$(id)', '`id`', 'sh -c id', 'constructor']) {
    expect(runLine(line, host).output).not.toMatch(/uid=/);
  }
  expect(runLine('exit', host)).toEqual({ output: '', exit: 0 });
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
