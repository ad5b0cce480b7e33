/** The secret half of a key, in the forms of OpenSSH, OpenSSL and PuTTY: it must not even be sent. */
export function isPrivateSshKey(text: string): boolean {
  return /-----BEGIN [A-Z ]*PRIVATE KEY-----|^\s*PuTTY-User-Key-File-/.test(text);
}

/** What follows the key in a line of a .pub file, usually `user@computer`. */
export function readSshKeyComment(text: string): string {
  return /^\S+ +[A-Za-z0-9+/]+={0,2} +(\S.*)$/.exec(text.trim())?.[1]?.trim() ?? '';
}
