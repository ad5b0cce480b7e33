/** What has failed said of it, as one line without the logins that addresses may hold. */
export function describeFailure(text: string): string {
  const [line = ''] = text.split('\n', 1);
  return line
    .slice(0, 1_000)
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replace(/\/\/[^\s/@]{1,500}@/g, '//')
    .trim()
    .slice(0, 300);
}
