import { afterEach, describe, expect, it, vi } from 'vitest';
import { createTerminal, type TerminalParts } from './create-terminal.ts';

let parts: TerminalParts | undefined;
afterEach(() => parts?.terminal.dispose());

function write(text: string): Promise<TerminalParts> {
  const made = createTerminal({ fontSize: 14, scrollback: 1_000 }, () => undefined);
  parts = made;
  return new Promise((resolve) => made.terminal.write(text, () => resolve(made)));
}

describe('the output of a device', () => {
  it('cannot write to the clipboard', async () => {
    const writeText = vi.fn();
    vi.stubGlobal('navigator', { ...navigator, clipboard: { writeText, write: writeText } });
    await write('\x1b]52;c;aGFja2Vk\x07');
    expect(writeText).not.toHaveBeenCalled();
  });

  it('is not answered with what it could then run as a command', async () => {
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

  it('is drawn', async () => {
    const { terminal } = await write('Привет \x1b[31mred\x1b[0m');
    expect(terminal.buffer.active.getLine(0)?.translateToString(true)).toBe('Привет red');
  });
});
