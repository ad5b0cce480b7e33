import { afterEach, describe, expect, it, vi } from 'vitest';
import { createTerminal, openLink, safeLink, type TerminalParts } from './create-terminal.ts';

let parts: TerminalParts | undefined;
afterEach(() => parts?.terminal.dispose());

function write(text: string): Promise<TerminalParts> {
  const made = createTerminal({ fontSize: 14, scrollback: 1_000 }, () => undefined);
  parts = made;
  return new Promise((resolve) => made.terminal.write(text, () => resolve(made)));
}

describe('the output of a device', () => {
  it('the output of a device cannot write to the clipboard', async () => {
    const writeText = vi.fn();
    vi.stubGlobal('navigator', { ...navigator, clipboard: { writeText, write: writeText } });
    await write('\x1b]52;c;aGFja2Vk\x07');
    expect(writeText).not.toHaveBeenCalled();
  });

  it('the output of a device is not answered with what it could then run as a command', async () => {
    const sent: string[] = [];
    const { terminal } = await write('');
    terminal.onData((data) => sent.push(data));
    // Title, icon, window size, font and clipboard reports.
    await new Promise<void>((resolve) =>
      terminal.write(
        '\x1b]2;rm -rf /\x07\x1b[21t\x1b[20t\x1b[18t\x1b[14t\x1b]50;?\x07\x1b]52;c;?\x07',
        resolve,
      ),
    );
    expect(sent).toEqual([]);
  });

  it('the output of a device is drawn', async () => {
    const { terminal } = await write('Привет \x1b[31mred\x1b[0m');
    expect(terminal.buffer.active.getLine(0)?.translateToString(true)).toBe('Привет red');
  });
});

afterEach(() => vi.restoreAllMocks());

describe('links in the terminal', () => {
  it.each(['http://192.168.1.1/', 'https://example.com/a?b=c'])('%s may be opened', (address) => {
    expect(safeLink(address)).toBe(address);
  });

  it.each([
    'javascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'file:///etc/passwd',
    'vscode://open',
    ' javascript:alert(1)//http://',
    'https://bank.example@evil.example/',
    'http://',
  ])('%s may not', (address) => {
    expect(safeLink(address)).toBeUndefined();
  });

  it('open in a tab that knows nothing of the console', () => {
    const open = vi.spyOn(window, 'open').mockReturnValue(null);
    openLink('https://example.com/');
    openLink('javascript:alert(1)');
    expect(open.mock.calls).toEqual([['https://example.com/', '_blank', 'noopener,noreferrer']]);
  });
});
