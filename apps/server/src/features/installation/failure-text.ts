import { oneLine } from '../../platform/one-line.ts';

/** What has failed said of it, as one line without the logins that addresses may hold. */
export function describeFailure(text: string): string {
  const [line = ''] = text.split('\n', 1);
  return oneLine(line.slice(0, 1_000).replace(/\/\/[^\s/@]{1,500}@/g, '//'));
}
