import { defaultTopics, parseTopicPattern, type TopicPattern } from '@pult/collector';
import { isServiceName, normalizeServerUrl, type ServiceName } from '@pult/link';
import { type Endpoint, parseEndpoint } from './endpoint.ts';
import { chooseProxy } from './proxy.ts';

/** What the agent needs to know, checked. */
export interface Config {
  server: string;
  /** As the user gave it; not normalized. */
  serial: string | undefined;
  stateDir: string;
  http: Endpoint;
  ssh: Endpoint;
  /** Names the cloud may connect to; undefined allows all. */
  allow: ReadonlySet<ServiceName> | undefined;
  /** PEM */
  ca: string | undefined;
  /** HTTP proxy on the way to the server; undefined for none. It may hold a password. */
  proxy: URL | undefined;
  enrollmentKey: string | undefined;
  /** Address of the local broker; undefined when none is to be asked. */
  mqtt: string | undefined;
  mqttTopics: TopicPattern;
  /** PEM */
  mqttCa: string | undefined;
  /** Seconds; undefined leaves it to the server. */
  metricsInterval: number | undefined;
  /** Where the data partition is mounted. */
  dataPath: string;
}

/** Where a broker is if there is one. */
export const defaultBroker = 'mqtt://127.0.0.1:1883';

/** One row a setting: its flag, environment variable and key in the config file. */
export const settings = [
  { name: 'server', flag: 'server', env: 'PULT_SERVER' },
  { name: 'serial', flag: 'serial', env: 'PULT_SERIAL' },
  { name: 'stateDir', flag: 'state-dir', env: 'PULT_STATE_DIR' },
  { name: 'http', flag: 'http', env: 'PULT_HTTP' },
  { name: 'ssh', flag: 'ssh', env: 'PULT_SSH' },
  { name: 'allow', flag: 'allow', env: 'PULT_ALLOW' },
  { name: 'ca', flag: 'ca', env: 'PULT_CA' },
  { name: 'proxy', flag: 'proxy', env: 'PULT_PROXY' },
  { name: 'enrollmentKey', flag: 'enrollment-key', env: 'PULT_ENROLLMENT_KEY' },
  { name: 'mqtt', flag: 'mqtt', env: 'PULT_MQTT' },
  { name: 'mqttTopics', flag: 'mqtt-topics', env: 'PULT_MQTT_TOPICS' },
  { name: 'mqttCa', flag: 'mqtt-ca', env: 'PULT_MQTT_CA' },
  { name: 'metricsInterval', flag: 'metrics-interval', env: 'PULT_METRICS_INTERVAL' },
  { name: 'dataPath', flag: 'data-path', env: 'PULT_DATA_PATH' },
] as const;

export type SettingName = (typeof settings)[number]['name'];
export type RawSettings = Partial<Record<SettingName, string>>;

interface CheckContext {
  env: Readonly<Record<string, string | undefined>>;
  readFile(path: string): string;
  isServerNeeded: boolean;
  defaultStateDir: string;
}

/** Checks all settings and says everything that is wrong with them at once, in plain words. */
export function checkSettings(raw: RawSettings, context: CheckContext): Config | { problems: string[] } {
  const problems: string[] = [];
  const endpoint = (name: 'http' | 'ssh', fallback: string): Endpoint => {
    const parsed = parseEndpoint(raw[name] ?? fallback);
    if (parsed && !(name === 'ssh' && parsed.isTls)) return parsed;
    const form = name === 'http' ? 'HOST:PORT or https://HOST:PORT' : 'HOST:PORT';
    problems.push(`--${name} must be ${form}, not "${raw[name]}"`);
    return { host: '', port: 0, isTls: false };
  };
  const server = checkServer(raw.server, context.isServerNeeded, problems);
  const config: Config = {
    server,
    serial: raw.serial,
    stateDir: raw.stateDir ?? context.defaultStateDir,
    http: endpoint('http', '127.0.0.1:80'),
    ssh: endpoint('ssh', '127.0.0.1:22'),
    allow: raw.allow === undefined ? undefined : checkAllow(raw.allow, problems),
    ca: checkCa('ca', raw.ca, context, problems),
    proxy: chooseProxy(server, raw.proxy, context.env, problems),
    enrollmentKey: raw.enrollmentKey,
    mqtt: checkBroker(raw.mqtt ?? defaultBroker, problems),
    mqttTopics: checkTopics(raw.mqttTopics ?? defaultTopics, problems),
    mqttCa: checkCa('mqtt-ca', raw.mqttCa, context, problems),
    metricsInterval: checkInterval(raw.metricsInterval, problems),
    dataPath: raw.dataPath ?? '/mnt/data',
  };
  return problems.length > 0 ? { problems } : config;
}

function checkServer(text: string | undefined, isNeeded: boolean, problems: string[]): string {
  if (text === undefined) {
    if (isNeeded)
      problems.push('no server: give its address by --server, PULT_SERVER or "server" in the config file');
    return '';
  }
  try {
    return normalizeServerUrl(text);
  } catch {
    problems.push(`--server must be an address like https://cloud.example.com, not "${text}"`);
    return '';
  }
}

function checkAllow(text: string, problems: string[]): ReadonlySet<ServiceName> {
  const allowed = new Set<ServiceName>();
  for (const item of text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)) {
    const name = /^[0-9]+$/.test(item) ? `port-${item}` : item;
    if (isServiceName(name)) allowed.add(name);
    else problems.push(`--allow takes http, ssh and port numbers, not "${item}"`);
  }
  return allowed;
}

/** Says nothing of the address itself, which may hold a password. */
function checkBroker(text: string, problems: string[]): string | undefined {
  if (text === 'off') return undefined;
  const isAddress = /^(mqtts?|wss?|mqtt\+unix):\/\/./.test(text) && URL.canParse(text);
  if (!isAddress) problems.push('--mqtt must be an address like mqtt://127.0.0.1:1883, or off');
  return text;
}

function checkTopics(text: string, problems: string[]): TopicPattern {
  const pattern = parseTopicPattern(text);
  if (pattern) return pattern;
  problems.push(
    `--mqtt-topics must name the device and the control by two "+", or the control by one, not "${text}"`,
  );
  return { filters: [], match: () => null };
}

function checkInterval(text: string | undefined, problems: string[]): number | undefined {
  if (text === undefined) return undefined;
  const seconds = Number(text);
  if (Number.isInteger(seconds) && seconds >= 10 && seconds <= 240) return seconds;
  problems.push(`--metrics-interval must be from 10 to 240 seconds, not "${text}"`);
  return undefined;
}

function checkCa(
  flag: string,
  path: string | undefined,
  { readFile }: CheckContext,
  problems: string[],
): string | undefined {
  if (path === undefined) return undefined;
  try {
    const pem = readFile(path);
    if (pem.includes('-----BEGIN CERTIFICATE-----')) return pem;
    problems.push(`--${flag}: ${path} holds no PEM certificate`);
  } catch (error) {
    problems.push(`--${flag}: ${path} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  return undefined;
}
