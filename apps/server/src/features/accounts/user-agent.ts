import type { SessionDevice } from '@pult/contract';
import Bowser from 'bowser';

/** As long as what is kept of a header: nothing that matters stands behind it. */
const readLength = 255;

/** By which people know them, where the library says more. */
const shortNames: Readonly<Record<string, string>> = {
  'Microsoft Edge': 'Edge',
  'Samsung Internet for Android': 'Samsung Internet',
  'Chrome OS': 'ChromeOS',
};

/** A name of the library's own: of a program that it does not know it repeats what the header says. */
function readName(name: string | undefined, known: Readonly<Record<string, string>>): string | null {
  if (!name || !Object.values(known).includes(name)) return null;
  return shortNames[name] ?? name;
}

/** `curl/8.14.1`; every browser begins with `Mozilla/5.0`, which names none. */
function readProgram(userAgent: string): string | null {
  const program = /^[A-Za-z][A-Za-z-]{0,30}\/\d{1,5}(?:\.\d{1,5}){0,3}(?= |$)/.exec(userAgent)?.[0];
  return program?.startsWith('Mozilla/') ? null : (program ?? null);
}

/**
 * What a User-Agent header says in the words of people. Whoever logs in chooses the header, and this is mailed to the
 * account's owner: no word of it can be read as a link or a message.
 */
export function describeUserAgent(header: string): SessionDevice {
  const userAgent = header.slice(0, readLength);
  if (userAgent === '') return { browser: null, system: null, form: 'program' };
  const found = Bowser.parse(userAgent);
  const browser = readName(found.browser.name, Bowser.BROWSER_MAP);
  const system = readName(found.os.name, Bowser.OS_MAP);
  const { type } = found.platform;
  if (browser === null || type === 'bot') {
    return { browser: browser ?? readProgram(userAgent), system, form: 'program' };
  }
  return { browser, system, form: type === 'mobile' || type === 'tablet' ? 'phone' : 'desktop' };
}

/** The same in a few words; null where it says nothing that is known. */
export function nameDevice(userAgent: string): string | null {
  const { browser, system } = describeUserAgent(userAgent);
  return [browser, system].filter((name) => name !== null).join(', ') || null;
}
