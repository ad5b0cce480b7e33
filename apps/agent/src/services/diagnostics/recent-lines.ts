const kept = 500;

/** Prints on, and remembers the last lines: not every agent runs where a journal is. */
export function keepRecentLines(print: (line: string) => void) {
  const lines: string[] = [];
  return {
    print(line: string): void {
      lines.push(`${new Date().toISOString()} ${line}`);
      if (lines.length > kept) lines.shift();
      print(line);
    },
    read: () => lines.join('\n'),
  };
}
