import { showRawBytes } from '@pult/contract';

/**
 * A name from the device as it may stand in a text: characters that draw nothing or turn the direction of the text
 * could make one name look like another (`gpj.exe` as `exe.jpg`), so a mark stands for each. Bytes that are no UTF-8 are `%EE`.
 */
export function shownName(name: string): string {
  return showRawBytes(name).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '�');
}
