/**
 * A name from the device as it may stand in a text: characters that draw nothing or turn the direction of the text
 * could make one name look like another (`gpj.exe` as `exe.jpg`), so a mark stands for each.
 */
export function shownName(name: string): string {
  return name.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '�');
}
