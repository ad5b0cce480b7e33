/** For a shell: as it is where that is safe. */
export function quote(word: string): string {
  return /^[\w.@%+:/=[\]-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** How this program is called again, by another that runs it. */
export function ownCommand(): string {
  return [process.execPath, process.argv[1] ?? 'pult'].map(quote).join(' ');
}
