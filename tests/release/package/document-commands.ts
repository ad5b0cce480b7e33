/** The commands in the fences `sh` of a document, by the heading above them. */
export interface CommandBlock {
  heading: string;
  commands: string[];
}

/** As a shell takes them: with their here-documents and continued lines, without comments. */
export function readCommands(markdown: string): CommandBlock[] {
  const blocks: CommandBlock[] = [];
  let heading = '';
  let fence: string | undefined;
  let lines: string[] = [];
  for (const line of markdown.split('\n')) {
    const opened = /^```(\w*)$/.exec(line);
    if (fence !== undefined && line === '```') {
      if (fence === 'sh') blocks.push({ heading, commands: splitCommands(lines) });
      fence = undefined;
    } else if (fence === undefined && opened) {
      fence = opened[1] ?? '';
      lines = [];
    } else if (fence !== undefined) lines.push(line);
    else heading = /^#+ (.+)$/.exec(line)?.[1] ?? heading;
  }
  return blocks;
}

function splitCommands(lines: readonly string[]): string[] {
  const commands: string[] = [];
  let end: string | undefined;
  let isContinued = false;
  for (const line of lines) {
    const text = end === undefined ? line.replace(/ +# .*$/, '') : line;
    if (end !== undefined || isContinued) commands.push(`${commands.pop()}\n${text}`);
    else if (text) commands.push(text);
    if (end === undefined) end = /<<'(\w+)'/.exec(text)?.[1];
    else if (text === end) end = undefined;
    isContinued = end === undefined && text.endsWith('\\');
  }
  return commands;
}
