import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { canHaveSubdomains } from '../platform/network.ts';
import { findAcmeContradictions } from './acme-settings.ts';
import type { Environment } from './environment.ts';
import { goneNames } from './gone-variables.ts';
import { findNodeContradictions } from './node-settings.ts';
import { findOidcContradictions } from './oidc-settings.ts';
import { type VariableName, variables } from './variables.ts';
import { findWirenBoardContradictions } from './wiren-board-settings.ts';

export type { Environment } from './environment.ts';

/** Configuration that cannot be used. `problems` holds one plain sentence each and never a secret's value. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`The configuration cannot be used:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}

/** Name, default (the words for "unset" when there is no text) and description of every variable, for documentation. */
export const environmentVariables: readonly { name: VariableName; default: string; description: string }[] = (
  Object.keys(variables) as VariableName[]
).map((name) => {
  const variable = variables[name];
  return {
    name,
    default: 'default' in variable ? variable.default : variable.unset,
    description: variable.description,
  };
});

export interface EnvironmentSource {
  /** Usually `process.env`; its non-empty values win over the file's. */
  env: Record<string, string | undefined>;
  /** Folder whose optional `.env` is read, unless PULT_SETTINGS of `env` names another file; null reads no file. */
  directory: string | null;
}

/** Reads and checks all variables. Throws one ConfigError with every problem. An empty value counts as unset. */
export function readEnvironment(source: EnvironmentSource): Environment {
  const problems: string[] = [];
  const file = readSettings(source, problems);
  const given = (name: string) => nonEmpty(source.env[name]) ?? nonEmpty(file[name]);
  const gone = goneNames.filter((name) => given(name) !== undefined);
  const values: Record<string, unknown> = { gone };
  for (const name of Object.keys(variables) as VariableName[]) {
    const variable = variables[name];
    const raw = given(name) ?? ('default' in variable ? variable.default : undefined);
    if (raw === undefined) continue;
    const parsed = variable.type.safeParse(raw);
    if (parsed.success) values[name] = parsed.data;
    else problems.push(...new Set(parsed.error.issues.map((issue) => `${name} ${issue.message}.`)));
  }
  // The loop has put the output of each name's own type under that name.
  const environment = values as Environment;
  problems.push(...findContradictions(environment));
  if (problems.length > 0) throw new ConfigError(problems);
  return environment;
}

/** Of the file of settings, where there is one: all names in it, known or not. */
export function listSettingsNames({
  env,
  directory,
}: EnvironmentSource): { path: string; names: string[] } | undefined {
  if (directory === null) return undefined;
  const { path } = findSettings(env, directory);
  try {
    return { path, names: Object.keys(parseEnv(readFileSync(path, 'utf8'))) };
  } catch {
    return undefined; // there is none
  }
}

function findSettings(env: EnvironmentSource['env'], directory: string) {
  const named = nonEmpty(env.PULT_SETTINGS);
  return { path: named ?? join(directory, '.env'), isNamed: named !== undefined };
}

/** A file that somebody has named has to be there. */
function readSettings({ env, directory }: EnvironmentSource, problems: string[]): NodeJS.Dict<string> {
  if (directory === null) return {};
  const { path, isNamed } = findSettings(env, directory);
  try {
    return parseEnv(readFileSync(path, 'utf8'));
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code !== 'ENOENT' || isNamed)
      problems.push(`The file ${path} cannot be read (${code ?? 'not a text file'}).`);
    return {};
  }
}

function nonEmpty(value: string | undefined): string | undefined {
  const trimmed = value?.trim();
  return trimmed === '' ? undefined : trimmed;
}

function findContradictions(env: Environment): string[] {
  const problems: string[] = [];
  const needs = (name: VariableName, other: VariableName) => {
    if (env[name] !== undefined && env[other] === undefined)
      problems.push(`${name} is set, so ${other} is needed too.`);
  };
  needs('TLS_CERT', 'TLS_KEY');
  needs('TLS_KEY', 'TLS_CERT');
  needs('TUNNEL_TLS_CERT', 'TUNNEL_TLS_KEY');
  needs('TUNNEL_TLS_KEY', 'TUNNEL_TLS_CERT');
  needs('SMTP_URL', 'MAIL_FROM');
  needs('S3_BUCKET', 'S3_ACCESS_KEY_ID');
  needs('S3_BUCKET', 'S3_SECRET_ACCESS_KEY');
  needs('S3_ENDPOINT', 'S3_BUCKET');
  needs('BACKUP_S3_BUCKET', 'BACKUP_S3_ACCESS_KEY_ID');
  needs('BACKUP_S3_BUCKET', 'BACKUP_S3_SECRET_ACCESS_KEY');
  needs('BACKUP_S3_ENDPOINT', 'BACKUP_S3_BUCKET');
  if (env.BACKUP_S3_BUCKET !== undefined && env.BACKUP_RECIPIENTS === undefined && !env.BACKUP_PLAINTEXT) {
    problems.push(
      'BACKUP_S3_BUCKET is set, so BACKUP_RECIPIENTS is needed too; BACKUP_PLAINTEXT=true sends backups without encryption.',
    );
  }
  needs('GRAFANA_URL', 'GRAFANA_ADMIN_USER');
  needs('GRAFANA_URL', 'GRAFANA_ADMIN_PASSWORD');
  if (env.GRAFANA_URL !== undefined && !hasSubdomains(env)) {
    problems.push('GRAFANA_URL is set, so TUNNEL_DOMAIN, or PUBLIC_URL without it, needs a domain name.');
  }
  const isSecure = env.PUBLIC_URL?.startsWith('https:') ?? env.TLS_CERT !== undefined;
  if (env.TUNNEL_TLS_CERT !== undefined && !isSecure) {
    problems.push('TUNNEL_TLS_CERT is set, so PUBLIC_URL must start with https://.');
  }
  // The port is known only after listening, and links, cookies and tunnels need the address before.
  if (env.PORT === 0 && env.PUBLIC_URL === undefined)
    problems.push('PORT is 0, so PUBLIC_URL is needed too.');
  if (env.SSH_JUMP_PORT !== undefined && env.SSH_JUMP_PORT !== 0 && env.SSH_JUMP_PORT === env.PORT) {
    problems.push('SSH_JUMP_PORT and PORT are the same; two listeners cannot share a port.');
  }
  if (env.METRICS_PORT !== undefined && [env.PORT, env.SSH_JUMP_PORT].includes(env.METRICS_PORT)) {
    problems.push('METRICS_PORT is the port of another listener; two cannot share one.');
  }
  problems.push(
    ...findAcmeContradictions(env),
    ...findNodeContradictions(env),
    ...findOidcContradictions(env),
    ...findWirenBoardContradictions(env, isSecure),
  );
  return problems;
}

/** Grafana is shown on a subdomain, and an address has none. */
function hasSubdomains(env: Environment): boolean {
  const address = env.TUNNEL_DOMAIN === undefined ? env.PUBLIC_URL : `http://${env.TUNNEL_DOMAIN}`;
  const { hostname } = new URL(address ?? 'http://localhost');
  return canHaveSubdomains(hostname);
}
