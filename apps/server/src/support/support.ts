import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { redact as redactForms } from '@pult/link/redact';
import type { Config } from '../config/config.ts';
import type { Environment } from '../config/env.ts';
import { createRedactor, describeSettings, listSecrets } from '../config/known-secrets.ts';
import { createAsk } from '../doctor/ask.ts';
import { checks } from '../doctor/checks/index.ts';
import { examine, formatDiagnosis, sayDiagnosis } from '../doctor/doctor.ts';
import { describeError } from '../doctor/finding.ts';
import { readFirstLogin } from '../features/accounts/index.ts';
import { readRecentLogs } from './recent-logs.ts';
import { describeVersions } from './versions.ts';

export interface SupportFile {
  name: string;
  text: string;
}

const askTimeoutMs = 10_000;

const readme = `What pult support has written, for a report of a fault.

versions.json  of Pult, Node and the system
settings.json  the settings by their variables, secrets hidden
doctor.txt     what pult doctor says (doctor.json: the same for programs)
metrics.txt    the server's metrics, where METRICS_TOKEN or METRICS_PORT is set
logs/          the last lines of the server's log

Passwords, tokens, keys and email addresses were taken out of all of it. Serial numbers, IP addresses and
names of hosts are still there: look through it before you send it to somebody you do not know.
`;

/**
 * All that helps whoever looks for a fault. No text holds a secret of the settings or of the data folder, and no log what has the form
 * of one that the database keeps.
 */
export async function collectSupport(environment: Environment, config: Config): Promise<SupportFile[]> {
  const redact = createRedactor([
    ...listSecrets(environment),
    ...(await listStoredSecrets(environment, config)),
  ]);
  const [versions, diagnosis, metrics, logs] = await Promise.all([
    describeVersions(),
    examine(config, checks).then((found) => sayDiagnosis(found, 'en')),
    readMetrics(config),
    readRecentLogs(config.data.dir),
  ]);
  const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
  const noLogs = {
    name: 'none.txt',
    text: 'No log was found: add the lines around the fault from where your service keeps them.\n',
  };
  const files = [
    { name: 'versions.json', text: json(versions) },
    { name: 'settings.json', text: json(describeSettings(environment)) },
    { name: 'doctor.txt', text: formatDiagnosis(diagnosis) },
    { name: 'doctor.json', text: json(diagnosis) },
    { name: 'metrics.txt', text: metrics },
    ...(logs.length > 0 ? logs : [noLogs]).map(({ name, text }) => ({
      name: `logs/${name}`,
      text: redactForms(Buffer.from(text)).toString(),
    })),
  ];
  return [
    { name: 'README.txt', text: readme },
    ...files.map(({ name, text }) => ({ name, text: redact(text) })),
  ];
}

/** Of the files that this node reads: whatever those of secrets hold is one. */
async function listStoredSecrets(environment: Environment, { data, secrets }: Config): Promise<string[]> {
  const files = [join(data.dir, 'secrets.json'), ...(secrets.file === undefined ? [] : [secrets.file])];
  const stored = await Promise.all(files.map(readValues));
  const { NATS_CREDS: creds } = environment;
  const lines = creds === undefined ? '' : await readFile(creds, 'utf8').catch(() => '');
  const firstLogin = await readFirstLogin(data.dir).catch(() => undefined);
  return [
    ...stored.flat(),
    ...lines.split(/\s+/).filter(({ length }) => length > 20),
    ...(firstLogin ? [firstLogin.password] : []),
  ];
}

async function readValues(file: string): Promise<string[]> {
  const text = await readFile(file, 'utf8').catch(() => '{}');
  try {
    const stored: unknown = JSON.parse(text);
    return Object.values(stored ?? {}).filter((value) => typeof value === 'string');
  } catch {
    return [];
  }
}

async function readMetrics({ prometheus, http }: Config): Promise<string> {
  const { token, port } = prometheus;
  if (port === undefined && token === undefined) {
    return 'Metrics are not turned on: set METRICS_PORT, or METRICS_TOKEN.\n';
  }
  const ask = createAsk(new AbortController().signal, askTimeoutMs);
  const own = `${http.isSecure ? 'https' : 'http'}://localhost:${http.port}/metrics`;
  const isEverywhere = ['0.0.0.0', '::', '*'].includes(http.host);
  try {
    const { status, text } =
      port === undefined
        ? await ask(new URL(own), {
            headers: { authorization: `Bearer ${token}` },
            connectTo: isEverywhere ? '127.0.0.1' : http.host,
            isTrusting: true,
          })
        : await ask(new URL(`http://127.0.0.1:${port}/metrics`));
    return status === 200 ? text : `The server answered ${status}.\n`;
  } catch (error) {
    return `The metrics could not be read: ${describeError(error)}\n`;
  }
}
