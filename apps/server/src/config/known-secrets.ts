import type { Environment } from './env.ts';
import { isSecretType } from './value-types.ts';
import { type VariableName, variables } from './variables.ts';

/** What stands for a secret where settings are shown. */
const hidden = '(hidden)';

/** Every secret in the settings. */
export function listSecrets(environment: Environment): string[] {
  const names = Object.keys(variables) as VariableName[];
  return names.flatMap((name) => {
    const value = environment[name];
    // Of named ones each value is a secret, and the whole is written down as it stands in the settings.
    if (typeof value === 'object' && isSecretType(variables[name].type))
      return Object.values(value).flatMap(partsOf);
    if (typeof value !== 'string') return [];
    // Several addresses may stand in one value.
    return isSecretType(variables[name].type) ? [value] : [value, ...value.split(',')].flatMap(secretsInUrl);
  });
}

/** A header such as `Bearer …` is no secret before its space. */
const partsOf = (value: unknown): string[] => [String(value), String(value).replace(/^\S+ /, '')];

const secretParameter = /pass|secret|token|key|sig|auth/i;

/** Logins and parameters of an address; in one of error reports the user is the key. */
function secretsInUrl(value: string): string[] {
  if (!URL.canParse(value)) return [];
  const { username, password, searchParams } = new URL(value);
  const given = [...searchParams].filter(([name]) => secretParameter.test(name)).map(([, secret]) => secret);
  const own = password === '' ? username : password;
  return [...given, ...(own === '' ? [] : [own, decode(own)])];
}

/** Each form in which programs write a secret down. */
function formsOf(secret: string): string[] {
  const percent = encodeURIComponent(secret);
  const strict = percent.replace(/[!'()*~]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
  return [
    secret,
    ...[percent, strict].flatMap((form) => [form, lowerCodes(form), form.replaceAll('%20', '+')]),
    JSON.stringify(secret).slice(1, -1),
    Buffer.from(secret).toString('hex'),
    ...inBase64(secret),
  ];
}

const lowerCodes = (text: string) => text.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());

/** Behind the user of a login, or anything else, it begins at one of three places of the code. */
function inBase64(secret: string): string[] {
  return [0, 1, 2].flatMap((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)]);
    // Letters that tell nothing of what stands around it.
    const own = bytes
      .toString('base64')
      .slice(Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6));
    return own.length < shortestInBase64 ? [] : [own, own.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

/** Less might stand anywhere. */
const shortestInBase64 = 6;

/** A percent sign that stands for itself is no reason to show anything. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Takes secrets out of a text. */
export function createSecretHider(secrets: readonly string[]): (text: string) => string {
  // A single letter would stand everywhere.
  const forms = new Set(secrets.filter(({ length }) => length > 2).flatMap(formsOf));
  // The longest first: one may be a part of another.
  const known = [...forms].sort((a, b) => b.length - a.length);
  return (text) => known.reduce((left, secret) => left.replaceAll(secret, hidden), text);
}

/** Takes email addresses out too: whoever reads it may be anybody. */
export function createRedactor(secrets: readonly string[]): (text: string) => string {
  const hide = createSecretHider(secrets);
  return (text) => hide(text).replace(email, '(email)');
}

/** Bounded on both sides of the @: a line of a million letters takes no time. */
const email = /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/g;

/** The settings by their variables, secrets hidden; what is neither set nor has a default is left out. */
export function describeSettings(environment: Environment): Record<string, unknown> {
  const names = Object.keys(variables) as VariableName[];
  return Object.fromEntries(
    names
      .filter((name) => environment[name] !== undefined)
      .map((name) => [name, isSecretType(variables[name].type) ? hidden : environment[name]]),
  );
}
