import type { Environment } from './env.ts';
import { isSecretType } from './value-types.ts';
import { type VariableName, variables } from './variables.ts';

/** What stands for a secret where settings are shown. */
const hidden = '(hidden)';

/** Every secret in the settings, in each form in which programs write it down. */
export function listSecrets(environment: Environment): string[] {
  const names = Object.keys(variables) as VariableName[];
  return names.flatMap((name) => {
    const value = environment[name];
    if (typeof value !== 'string') return [];
    // Several addresses may stand in one value.
    return isSecretType(variables[name].type)
      ? formsOf(value)
      : [value, ...value.split(',')].flatMap(secretsInUrl);
  });
}

/** Addresses with a password, and those of error reports, whose user is the key. */
function secretsInUrl(value: string): string[] {
  if (!URL.canParse(value)) return [];
  const { username, password } = new URL(value);
  const login = `${decode(username)}:${decode(password)}`;
  if (password !== '') return [...formsOf(decode(password)), password, Buffer.from(login).toString('base64')];
  return username === '' ? [] : [username];
}

function formsOf(secret: string): string[] {
  return [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)];
}

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
  // The longest first: one may be a part of another. A single letter would stand everywhere.
  const known = [...new Set(secrets)].filter(({ length }) => length > 2).sort((a, b) => b.length - a.length);
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
