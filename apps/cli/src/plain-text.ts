/**
 * Names and descriptions are written by people, and some by devices: none of them may steer the terminal, neither by control
 * characters nor by turning the direction of writing round.
 */
const steering = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** On one line. */
export function toPlain(text: string): string {
  return text.replace(steering, ' ');
}

/** Lines stay lines, and tabs tabs. */
export function toPlainLines(text: string): string {
  return text.replace(steering, (found) => (found === '\n' || found === '\t' ? found : ' '));
}

/** JSON that means the same: there such characters stand in strings alone, unless they part its words. */
export function toPlainJson(json: string): string {
  return json.replace(steering, (found) =>
    /[\n\r\t]/.test(found) ? found : `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

export const formatJson = (value: unknown) => `${toPlainJson(JSON.stringify(value, null, 2))}\n`;

/** Of what may come from an argument or an answer, and goes where logs are kept. */
export function hideTokens(text: string): string {
  return text.replace(/pult_(pat|svc)_[A-Za-z0-9]+/g, 'pult_$1_…');
}
