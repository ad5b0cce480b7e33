/** Makes lines of what a terminal sends: letters, backspace, Ctrl+C, Ctrl+D, Enter; other keys do nothing. */
export interface LineEditor {
  /** Takes bytes of the terminal and answers what it is to show. */
  feed(data: string): void;
}

const longest = 1000;

export function createLineEditor(handlers: {
  write: (text: string) => void;
  prompt: () => void;
  onLine: (line: string) => void;
  onEnd: () => void;
}): LineEditor {
  const { write, prompt, onLine, onEnd } = handlers;
  let line: string[] = [];
  const takeLine = () => {
    const text = line.join('');
    line = [];
    return text;
  };
  return {
    feed(data) {
      // Arrow keys and the like arrive as sequences.
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are control characters.
      for (const character of data.replace(/\u001b(\[[\d;]*[A-Za-z~]|O[A-Z])/g, '').replace(/\r\n/g, '\r')) {
        if (character === '\r' || character === '\n') {
          write('\r\n');
          onLine(takeLine());
        } else if (character === '\u0003') {
          write('^C\r\n');
          takeLine();
          prompt();
        } else if (character === '\u0004') {
          if (line.length === 0) return onEnd();
        } else if (character === '\u007f' || character === '\b') {
          if (line.pop() !== undefined) write('\b \b');
        } else if (character >= ' ' && line.length < longest) {
          line.push(character);
          write(character);
        }
      }
    },
  };
}
