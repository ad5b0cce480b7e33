// Each browser also names those it descends from, so the order matters.
const browsers: readonly [RegExp, string][] = [
  [/\bYaBrowser\//, 'Yandex Browser'],
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bChrome\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];

const systems: readonly [RegExp, string][] = [
  [/\biPhone\b|\biPad\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMacintosh\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

/**
 * A short name for a User-Agent header; undefined when it names nothing. Whoever logs in chooses the header, and this
 * name is mailed to the account's owner: no word of it can be read as a link or a message.
 */
export function describeUserAgent(userAgent: string): string | undefined {
  const find = (names: typeof browsers) => names.find(([pattern]) => pattern.test(userAgent))?.[1];
  const named = [find(browsers), find(systems)].filter((name) => name !== undefined);
  if (named.length > 0) return named.join(', ');
  return /^[A-Za-z][A-Za-z-]{0,30}\/\d{1,5}(?:\.\d{1,5}){0,3}(?= |$)/.exec(userAgent)?.[0];
}
