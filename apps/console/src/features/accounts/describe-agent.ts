/** What a User-Agent header says in the words of people. */
export interface AgentDescription {
  /** Also of a program that is no browser: its own name. */
  browser: string | undefined;
  system: string | undefined;
  form: 'phone' | 'desktop' | 'program';
}

// In this order: most browsers also name the one they descend from.
const browsers: readonly (readonly [string, RegExp])[] = [
  ['Yandex Browser', /YaBrowser\//],
  ['Edge', /Edg(?:e|A|iOS)?\//],
  ['Opera', /OPR\/|OPX\/|Opera/],
  ['Samsung Internet', /SamsungBrowser\//],
  ['Firefox', /Firefox\/|FxiOS\//],
  ['Chrome', /Chrome\/|CriOS\//],
  ['Safari', /Safari\//],
];

const systems: readonly (readonly [string, RegExp])[] = [
  ['iPadOS', /iPad/],
  ['iOS', /iPhone|iPod/],
  ['Android', /Android/],
  ['Windows', /Windows/],
  ['macOS', /Macintosh|Mac OS X/],
  ['ChromeOS', /CrOS/],
  ['Linux', /Linux|X11/],
];

function find(table: typeof browsers, userAgent: string): string | undefined {
  return table.find(([, pattern]) => pattern.test(userAgent))?.[0];
}

export function describeAgent(userAgent: string): AgentDescription {
  const browser = find(browsers, userAgent);
  const system = find(systems, userAgent);
  if (browser === undefined) {
    const program = /^([\w.+-]{1,40})(?:[/ ]|$)/.exec(userAgent)?.[1];
    return { browser: program === 'Mozilla' ? undefined : program, system, form: 'program' };
  }
  return { browser, system, form: /Mobi|Android|iPad|iPhone/.test(userAgent) ? 'phone' : 'desktop' };
}
