import { readFileSync } from 'node:fs';
import { type RawSettings, settings } from './settings.ts';

/** Read when it exists and no other is named. */
export const defaultConfigPath = '/etc/pult-agent.json';

/** Reads a JSON config file; pushes every problem in plain words. A missing default file is none. */
export function readConfigFile(path: string, isDefault: boolean, problems: string[]): RawSettings {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (isDefault && code === 'ENOENT') return {};
    problems.push(code ? `config file ${path} cannot be read (${code})` : `config file ${path}: ${message}`);
    return {};
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    problems.push(`config file ${path} must hold one JSON object`);
    return {};
  }
  const raw: RawSettings = {};
  for (const [key, value] of Object.entries(content)) {
    const setting = settings.find(({ name }) => name === key);
    if (!setting) problems.push(`config file ${path}: unknown setting "${key}"`);
    else if (key === 'allow' && Array.isArray(value)) raw.allow = value.join(',');
    else if (typeof value === 'string') raw[setting.name] = value;
    else problems.push(`config file ${path}: "${key}" must be a string`);
  }
  return raw;
}
