/** Of other people's text this much is shown. */
const maxLength = 300;

/** Whatever others have said, as one line of bounded length that steers no terminal, begins no header and does not turn its direction. */
export function oneLine(text: string): string {
  return text
    .slice(0, 2_000)
    .replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, maxLength);
}
