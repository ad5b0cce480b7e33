/** Names sort as their times do; in UTC. */
export function nameBackup(at: Date, recipients: readonly string[]): string {
  const stamp = at.toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-');
  return `pult-${stamp}.tar.gz${recipients.length > 0 ? '.age' : ''}`;
}

/** When a backup of such a name was begun; undefined for other names. */
export function timeOfBackup(name: string): Date | undefined {
  const [, year, month, day, hour, minute, second] =
    /^pult-(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)\.tar\.gz(?:\.age)?$/.exec(name) ?? [];
  if (year === undefined) return undefined;
  const at = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(at.getTime()) ? undefined : at;
}

export const isBackupName = (name: string) => timeOfBackup(name) !== undefined;
