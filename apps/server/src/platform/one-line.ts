/** Of other people's text this much is shown. */
const maxLength = 300;

/** Whatever others have said, as one line of bounded length that steers no terminal and begins no header. */
export function oneLine(text: string): string {
  return text
    .slice(0, 2_000)
    .replace(/[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]+/gu, ' ')
    .trim()
    .slice(0, maxLength);
}
