import { join, resolve } from 'node:path';
import type { WirenBoardOff } from '@pult/contract/values';
import { canHaveSubdomains } from '../platform/network.ts';
import { type AcmeSettings, readAcmeSettings } from './acme-settings.ts';
import type { Environment } from './environment.ts';
import type { GoneVariable } from './gone-variables.ts';
import { defaultJumpPort, readAddress } from './jump-port.ts';
import {
  type NodeSettings,
  readNodeSettings,
  readSecretsSettings,
  type SecretsSettings,
} from './node-settings.ts';
import { type OidcSettings, readOidcSettings } from './oidc-settings.ts';
import { readTracingSettings, type TracingSettings } from './tracing-settings.ts';
import { readWirenBoard, type WirenBoardSettings } from './wiren-board-settings.ts';

type AppEnv = Environment['APP_ENV'];
type TunnelMode = Exclude<Environment['TUNNEL_MODE'], 'auto'>;

/** Files in PEM form. */
interface TlsFiles {
  readonly cert: string;
  readonly key: string;
}

/** A bucket; without an endpoint at AWS. */
interface S3Settings {
  readonly endpoint?: string;
  readonly region: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** A Grafana that this server administers. */
export interface GrafanaSettings {
  /** Where this server reaches it: an origin. */
  readonly url: string;
  readonly adminUser: string;
  readonly adminPassword: string;
  /** Where it reaches this server: an origin. */
  readonly datasourceUrl: string;
}

const megabyte = 1_000_000;

/** What the server runs by, grouped by who needs it. Origins have no last slash; paths are absolute. */
export interface Config {
  /** Variables of earlier versions that are set. */
  readonly gone: readonly GoneVariable[];
  readonly http: {
    readonly host: string;
    /** 0 for any free port. */
    readonly port: number;
    readonly publicUrl: string;
    readonly tls?: TlsFiles;
    /** Whether the server itself speaks TLS, by files or by certificates of its own getting. */
    readonly isSecure: boolean;
    /** A second port, without TLS, for those who come by http://. */
    readonly plainPort?: number;
    readonly trustedProxies: readonly string[];
  };
  /** Without it certificates come from files, or there are none. */
  readonly acme?: AcmeSettings;
  readonly data: { readonly dir: string };
  /** Without `url`: the embedded PostgreSQL. */
  readonly database: { readonly url?: string };
  /** Without it this server is the only one. */
  readonly nodes?: NodeSettings;
  /** Without any the secrets are a file of the data folder. */
  readonly secrets: SecretsSettings;
  readonly tunnels: {
    readonly mode: TunnelMode;
    /** `host[:port]` that follows `<serial>.http.`. */
    readonly domain: string;
    readonly scheme: 'http' | 'https';
    /** Both ends included. */
    readonly ports: { readonly from: number; readonly to: number };
    /** Of controllers, besides those of the contract. */
    readonly reservedPorts: readonly number[];
    /** For answers of web interfaces that are kept; 0 for none. */
    readonly webCacheBytes: number;
    readonly tls?: TlsFiles;
  };
  readonly ssh: {
    /** Address to listen on. */
    readonly jumpHost: string;
    /** 0: no jump host. */
    readonly jumpPort: number;
    /** Nobody asked for this very port: without it there is no jump host, but a server. */
    readonly isJumpOptional: boolean;
    /** Where people reach it; without `port` at the one that is listened on. */
    readonly jumpAddress: { readonly host: string; readonly port?: number };
  };
  readonly admin: { readonly email?: string; readonly password?: string };
  readonly agents: {
    /** Origins an agent may have been given; PUBLIC_URL first. */
    readonly urls: readonly string[];
    readonly enrollmentKey?: string;
    /** Where the Node.js for devices is that have none. */
    readonly runtimesDirectory?: string;
    /** Agents are updated without being asked for. */
    readonly updatesThemselves: boolean;
    /** Without it: no controllers of that kind, and the other says why. */
    readonly wirenBoard?: WirenBoardSettings;
    readonly wirenBoardOff?: WirenBoardOff;
  };
  readonly settings: {
    readonly isOnPremise: boolean;
    readonly onPremiseVersion: string;
    readonly totpAuthEnabled: boolean;
    /** 0: no limit. */
    readonly maxActivatedControllers: number;
    readonly serviceName: string;
    readonly serviceStatusUrl?: string;
    readonly docsUrl?: string;
    readonly mapStyleUrl?: string;
  };
  /** How people sign in by identity providers. */
  readonly oidc: OidcSettings;
  readonly metrics: {
    readonly intervalSeconds: number;
    readonly retentionDays: number;
    readonly victoriaMetricsUrl?: string;
  };
  /** How Prometheus reads the server's own metrics: with a token on its port, without one on a port of the machine alone. */
  readonly prometheus: { readonly token?: string; readonly port?: number };
  /** Without it: no traces. */
  readonly tracing?: TracingSettings;
  /** Without it: the monitoring page of the console. */
  readonly grafana?: GrafanaSettings;
  readonly diagnostics: {
    readonly maxBytes: number;
    /** Of an organization; Infinity for no limit. */
    readonly quotaBytes: number;
    /** Archives kept of a controller. */
    readonly archives: number;
    /** For which they are kept. */
    readonly days: number;
    /** Without it: a folder of the data. */
    readonly s3?: S3Settings;
  };
  readonly backups: {
    readonly dir: string;
    /** A crontab pattern; without it no backup is made by itself. */
    readonly schedule?: string;
    /** Of how many days, weeks and months the last one stays. */
    readonly kept: { readonly days: number; readonly weeks: number; readonly months: number };
    /** Without one they are not encrypted. */
    readonly recipients: readonly string[];
    /** Where scheduled ones go; without it to the folder. */
    readonly s3?: S3Settings;
    readonly beforeMigration: boolean;
  };
  readonly alerts: {
    /** Webhooks may go to private and local addresses. */
    readonly allowsPrivateWebhooks: boolean;
    /** Of Telegram's Bot API, an origin. */
    readonly telegramApiUrl: string;
  };
  readonly mail: { readonly smtpUrl?: string; readonly from?: string };
  readonly app: {
    readonly env: AppEnv;
    readonly sentryDsn?: string;
    readonly logLevel: Environment['LOG_LEVEL'];
  };
}

/** Groups the variables and fills in what one of them says about another. `version` is the server package's. */
export function loadConfig(env: Environment, { version }: { version: string }): Config {
  const tls = tlsFiles(env.TLS_CERT, env.TLS_KEY);
  const acme = readAcmeSettings(env);
  const publicUrl = env.PUBLIC_URL ?? new URL(`${tls ? 'https' : 'http'}://localhost:${env.PORT}`).origin;
  const tunnelTls = tlsFiles(env.TUNNEL_TLS_CERT, env.TUNNEL_TLS_KEY);
  const scheme = publicUrl.startsWith('https:') ? 'https' : 'http';
  const tunnelDomain = env.TUNNEL_DOMAIN ?? new URL(publicUrl).host;
  const mode = env.TUNNEL_MODE === 'auto' ? tunnelMode(`${scheme}://${tunnelDomain}`) : env.TUNNEL_MODE;
  const isSecure = tls !== undefined || acme !== undefined;
  const nodes = readNodeSettings(env);
  return {
    gone: env.gone,
    http: {
      host: env.HOST,
      port: env.PORT,
      publicUrl,
      ...given({ tls, plainPort: env.HTTP_PORT }),
      isSecure,
      trustedProxies: env.TRUSTED_PROXIES ?? [],
    },
    ...given({ acme }),
    data: { dir: resolve(env.DATA_DIR) },
    database: given({ url: env.DATABASE_URL }),
    ...given({ nodes }),
    secrets: readSecretsSettings(env),
    tunnels: {
      mode,
      domain: tunnelDomain,
      scheme,
      ports: env.TUNNEL_PORTS,
      reservedPorts: env.RESERVED_PORTS ?? [],
      webCacheBytes: env.WEB_CACHE_MB * megabyte,
      ...given({ tls: tunnelTls }),
    },
    ssh: {
      jumpHost: env.SSH_JUMP_HOST ?? env.HOST,
      jumpPort: env.SSH_JUMP_PORT ?? defaultJumpPort,
      isJumpOptional: env.SSH_JUMP_PORT === undefined,
      jumpAddress: readAddress(env.SSH_JUMP_ADDRESS) ?? { host: new URL(publicUrl).hostname },
    },
    admin: given({ email: env.ADMIN_EMAIL, password: env.ADMIN_PASSWORD }),
    agents: {
      urls: [...new Set([publicUrl, ...(env.AGENT_URLS ?? [])])],
      updatesThemselves: env.AGENT_UPDATES === 'auto',
      ...given({
        enrollmentKey: env.ENROLLMENT_KEY,
        runtimesDirectory: env.AGENT_RUNTIMES,
      }),
      ...readWirenBoard(env, { publicUrl, tunnelMode: mode, nodePort: nodes?.port, isSecure }),
    },
    settings: {
      isOnPremise: env.IS_ON_PREMISE,
      onPremiseVersion: env.ON_PREMISE_VERSION ?? version,
      totpAuthEnabled: env.TOTP_AUTH_ENABLED,
      maxActivatedControllers: env.MAX_ACTIVATED_CONTROLLERS,
      serviceName: env.SERVICE_NAME,
      ...given({
        serviceStatusUrl: env.SERVICE_STATUS_URL,
        docsUrl: env.DOCS_URL,
        mapStyleUrl: env.MAP_STYLE_URL,
      }),
    },
    oidc: readOidcSettings(env),
    metrics: {
      intervalSeconds: env.METRICS_INTERVAL_SECONDS,
      retentionDays: env.METRICS_RETENTION_DAYS,
      ...given({ victoriaMetricsUrl: env.VICTORIAMETRICS_URL }),
    },
    prometheus: given({ token: env.METRICS_TOKEN, port: env.METRICS_PORT }),
    ...given({ tracing: readTracingSettings(env), grafana: grafanaSettings(env, publicUrl) }),
    diagnostics: {
      maxBytes: env.DIAGNOSTICS_MAX_MB * megabyte,
      quotaBytes: (env.DIAGNOSTICS_QUOTA_MB || Number.POSITIVE_INFINITY) * megabyte,
      archives: env.DIAGNOSTICS_KEEP,
      days: env.DIAGNOSTICS_RETENTION_DAYS,
      ...given({ s3: s3Settings(env) }),
    },
    backups: {
      dir: resolve(env.BACKUP_DIR ?? join(env.DATA_DIR, 'backups')),
      kept: env.BACKUP_KEEP,
      recipients: env.BACKUP_RECIPIENTS ?? [],
      beforeMigration: env.BACKUP_BEFORE_MIGRATION,
      ...given({ schedule: env.BACKUP_SCHEDULE, s3: backupS3Settings(env) }),
    },
    alerts: { allowsPrivateWebhooks: env.ALERT_WEBHOOK_PRIVATE, telegramApiUrl: env.TELEGRAM_API_URL },
    mail: given({ smtpUrl: env.SMTP_URL, from: env.MAIL_FROM }),
    app: { env: env.APP_ENV, logLevel: env.LOG_LEVEL, ...given({ sentryDsn: env.SENTRY_DSN }) },
  };
}

function s3Settings(env: Environment): S3Settings | undefined {
  const { S3_BUCKET: bucket, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = env;
  if (bucket === undefined || accessKeyId === undefined || secretAccessKey === undefined) return undefined;
  const endpoint = given({ endpoint: env.S3_ENDPOINT });
  return { bucket, accessKeyId, secretAccessKey, region: env.S3_REGION, ...endpoint };
}

function backupS3Settings(env: Environment): S3Settings | undefined {
  const bucket = env.BACKUP_S3_BUCKET;
  const { BACKUP_S3_ACCESS_KEY_ID: accessKeyId, BACKUP_S3_SECRET_ACCESS_KEY: secretAccessKey } = env;
  if (bucket === undefined || accessKeyId === undefined || secretAccessKey === undefined) return undefined;
  const endpoint = given({ endpoint: env.BACKUP_S3_ENDPOINT });
  return { bucket, accessKeyId, secretAccessKey, region: env.BACKUP_S3_REGION, ...endpoint };
}

function grafanaSettings(env: Environment, publicUrl: string): GrafanaSettings | undefined {
  const { GRAFANA_URL: url, GRAFANA_ADMIN_USER: adminUser, GRAFANA_ADMIN_PASSWORD: adminPassword } = env;
  if (url === undefined || adminUser === undefined || adminPassword === undefined) return undefined;
  return { url, adminUser, adminPassword, datasourceUrl: env.GRAFANA_DATASOURCE_URL ?? publicUrl };
}

function tlsFiles(cert: string | undefined, key: string | undefined): TlsFiles | undefined {
  return cert !== undefined && key !== undefined ? { cert: resolve(cert), key: resolve(key) } : undefined;
}

/** By name where there can be names. */
function tunnelMode(origin: string): TunnelMode {
  return canHaveSubdomains(new URL(origin).hostname) ? 'subdomain' : 'ports';
}

/** The properties that have a value: an unset variable leaves no key behind. */
function given<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
