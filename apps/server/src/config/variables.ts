import { acmeVariables } from './acme-variables.ts';
import { backupVariables } from './backup-variables.ts';
import { nodeVariables } from './node-variables.ts';
import { oidcVariables } from './oidc-variables.ts';
import { tracingVariables } from './tracing-variables.ts';
import {
  address,
  email,
  hostAndPort,
  mailbox,
  mailServer,
  oneOf,
  origin,
  origins,
  portRange,
  ports,
  proxies,
  secret,
  secretKey,
  text,
  webAddress,
  webAddressOrPath,
  wholeNumber,
  yesOrNo,
} from './value-types.ts';

/**
 * Every variable the server reads. `default` is the text that stands for an unset variable; `unset` says in words what
 * happens without one. Descriptions are the source of the documentation's table.
 */
export const variables = {
  HOST: {
    type: text(253),
    default: '127.0.0.1',
    description: 'Address to listen on; 0.0.0.0 for all networks',
  },
  PORT: {
    type: wholeNumber(0, 65535),
    default: '8080',
    description: 'Port to listen on; 0 takes any free one',
  },
  PUBLIC_URL: {
    type: origin,
    unset: 'http://localhost:<PORT>',
    description: 'Address under which people and devices reach the server, without a path',
  },
  DATA_DIR: { type: text(4096), default: './data', description: 'Folder of everything the server keeps' },
  DATABASE_URL: {
    type: address(['postgres', 'postgresql'], 'postgres://user:password@host:5432/pult'),
    unset: 'the embedded PostgreSQL under DATA_DIR',
    description: 'External PostgreSQL',
  },
  ...nodeVariables,
  TUNNEL_DOMAIN: {
    type: hostAndPort,
    unset: 'host and port of PUBLIC_URL',
    description: 'Domain of the tunnel hosts <serial>.http.<domain>',
  },
  TUNNEL_MODE: {
    type: oneOf(['auto', 'subdomain', 'ports']),
    default: 'auto',
    description:
      'Web interfaces of controllers by host name or by port; auto takes ports where TUNNEL_DOMAIN is an IP address or a bare machine name',
  },
  TUNNEL_PORTS: {
    type: portRange,
    default: '20000-20099',
    description: 'Ports of this server for web interfaces of controllers, in the mode ports',
  },
  RESERVED_PORTS: {
    type: ports,
    unset: 'the built-in list alone',
    description:
      'Further ports of controllers, with commas between them, that only admins add and open as services, and no guest: where programs ask for no login',
  },
  WEB_CACHE_MB: {
    type: wholeNumber(0, 1_000_000),
    default: '64',
    description:
      'Memory for answers of controllers’ web interfaces that are kept for the next person, in megabytes; 0 keeps none',
  },
  TUNNEL_TLS_CERT: {
    type: text(4096),
    unset: 'TLS_CERT',
    description: 'Certificate file (PEM) of the tunnel hosts or ports, read again when it changes',
  },
  TUNNEL_TLS_KEY: {
    type: text(4096),
    unset: 'TLS_KEY',
    description: 'Key file (PEM) of TUNNEL_TLS_CERT',
  },
  SSH_JUMP_PORT: {
    type: wholeNumber(0, 65535),
    unset: '2222, or none where that is taken',
    description: 'Port of the SSH jump host; 0 turns it off',
  },
  SSH_JUMP_HOST: {
    type: text(253),
    unset: 'HOST',
    description: 'Address the SSH jump host listens on; 0.0.0.0 for all networks',
  },
  SSH_JUMP_ADDRESS: {
    type: hostAndPort,
    unset: 'host of PUBLIC_URL and SSH_JUMP_PORT',
    description: 'Domain and port under which people reach the jump host, where they differ',
  },
  ADMIN_EMAIL: {
    type: email,
    unset: 'admin@example.com',
    description: 'First account, made when the database is empty',
  },
  ADMIN_PASSWORD: {
    type: secret(8, 70),
    unset: 'a random one, see pult first-login',
    description: 'Password of the first account, 8 to 70 characters',
  },
  AGENT_URLS: {
    type: origins,
    unset: 'none',
    description: 'Further addresses under which agents may reach the server, with commas between them',
  },
  ENROLLMENT_KEY: {
    type: secret(16, 256),
    unset: 'any device may enrol',
    description: 'Key that agents must present to enrol, 16 characters or more',
  },
  AGENT_UPDATES: {
    type: oneOf(['manual', 'auto']),
    default: 'manual',
    description:
      'auto: agents that are older than the one of the server are updated in waves, 1 %, 10 %, all; stops where one returns',
  },
  AGENT_RUNTIMES: { type: text(4096), unset: 'none', description: 'Folder of Node.js for devices without' },
  WB_DEVICE_CA: {
    type: text(4096),
    default: 'auto',
    description:
      'Authority of the certificates with which Wiren Board controllers come: builtin for the factory’s own, a file (PEM), or off; auto is builtin where that can work; see docs/wiren-board.md',
  },
  WB_PROXY_SECRET: {
    type: secretKey,
    unset: 'no proxy is believed',
    description:
      'Key by which a proxy that ends TLS vouches for the certificates of these controllers (pult secrets key makes one); see docs/wiren-board.md',
  },
  WB_TUNNEL_PORT: {
    type: wholeNumber(1, 65535),
    default: '7107',
    description: 'Port on which Wiren Board controllers are waited for, with WB_DEVICE_CA',
  },
  WB_TUNNEL_ADDRESS: {
    type: hostAndPort,
    unset: 'tunnel.<host of PUBLIC_URL> and WB_TUNNEL_PORT, with wss the port of PUBLIC_URL',
    description: 'Domain and port under which these controllers reach that port, where they differ',
  },
  WB_TUNNEL_PROTOCOL: {
    type: oneOf(['tls', 'wss']),
    default: 'tls',
    description:
      'tls: these controllers dial WB_TUNNEL_PORT; wss: the port of PUBLIC_URL, inside a WebSocket, where networks let nothing else out',
  },
  WB_TUNNEL_VERIFY: {
    type: oneOf(['on', 'off']),
    default: 'on',
    description: 'Whether these controllers verify the certificate of that port',
  },
  WB_POLL_SECONDS: {
    type: wholeNumber(10, 3600),
    default: '10',
    description: 'How often these controllers ask for news; less often where there are many',
  },
  WB_TELEMETRY_SECONDS: {
    type: wholeNumber(60, 86_400),
    default: '900',
    description: 'How often the values of these controllers are read while nobody looks at them',
  },
  SMTP_URL: {
    type: mailServer,
    unset: 'mails stay in the database',
    description: 'Mail server, such as smtp://user:password@host:587 or smtps://user:password@host:465',
  },
  MAIL_FROM: {
    type: mailbox,
    unset: 'none',
    description: 'Sender of mails, such as Pult <pult@example.com>; needed with SMTP_URL',
  },
  IS_ON_PREMISE: {
    type: yesOrNo,
    default: 'true',
    description: 'Whether this is a self-hosted installation',
  },
  ON_PREMISE_VERSION: {
    type: text(64),
    unset: 'the package version',
    description: 'Version shown in the console',
  },
  TOTP_AUTH_ENABLED: { type: yesOrNo, default: 'true', description: 'Whether two-factor login is offered' },
  ...oidcVariables,
  MAX_ACTIVATED_CONTROLLERS: {
    type: wholeNumber(0, 2_147_483_647),
    default: '0',
    description: 'Most controllers that may be activated; 0 for no limit',
  },
  SERVICE_NAME: {
    type: text(60),
    default: 'Pult',
    description: 'Name of the service in the console and in mails',
  },
  SERVICE_STATUS_URL: {
    type: webAddress,
    unset: 'none',
    description: 'Status page, shown when the server is down',
  },
  DOCS_URL: {
    type: webAddress,
    unset: 'none',
    description: 'Documentation the console links to (not used yet)',
  },
  MAP_STYLE_URL: {
    type: webAddressOrPath,
    unset: 'map.pmtiles in DATA_DIR, or the bundled map',
    description: 'MapLibre style of the map, an address or a path; its tiles come from the same host',
  },
  METRICS_TOKEN: {
    type: secret(16, 256),
    unset: 'no /metrics on PORT',
    description:
      'Token with which Prometheus reads the server’s own metrics at /metrics, 16 characters or more; see docs/metrics.md',
  },
  METRICS_PORT: {
    type: wholeNumber(1, 65535),
    unset: 'none',
    description: 'Port of 127.0.0.1 on which the same is read without a token',
  },
  ...tracingVariables,
  METRICS_INTERVAL_SECONDS: {
    type: wholeNumber(10, 240),
    default: '60',
    description: 'How often controllers measure their systems, unless an agent is set otherwise',
  },
  METRICS_RETENTION_DAYS: {
    type: wholeNumber(1, 3650),
    default: '30',
    description: 'How long measurements are kept; VictoriaMetrics has its own setting',
  },
  VICTORIAMETRICS_URL: {
    type: address(['http', 'https'], 'http://user:password@host:8428'),
    unset: 'measurements stay in the database',
    description: 'VictoriaMetrics that keeps the measurements of controllers',
  },
  GRAFANA_URL: {
    type: origin,
    unset: 'the monitoring page of the console',
    description: 'Grafana that shows measurements, as this server reaches it; see docs/monitoring.md',
  },
  GRAFANA_ADMIN_USER: {
    type: text(190),
    unset: 'none',
    description: 'Login of a Grafana server administrator; needed with GRAFANA_URL',
  },
  GRAFANA_ADMIN_PASSWORD: {
    type: secret(8, 256),
    unset: 'none',
    description: 'Password of GRAFANA_ADMIN_USER',
  },
  GRAFANA_DATASOURCE_URL: {
    type: origin,
    unset: 'PUBLIC_URL',
    description: 'Address under which Grafana reaches this server, where it cannot use PUBLIC_URL',
  },
  DIAGNOSTICS_MAX_MB: {
    type: wholeNumber(1, 10_000),
    default: '100',
    description: 'Largest diagnostics archive that is taken from a controller, in megabytes',
  },
  DIAGNOSTICS_QUOTA_MB: {
    type: wholeNumber(0, 100_000_000),
    default: '10000',
    description: 'Megabytes that the diagnostics archives of one organization may take; 0 for no limit',
  },
  DIAGNOSTICS_KEEP: {
    type: wholeNumber(1, 50),
    default: '10',
    description: 'Diagnostics archives kept of each controller; the oldest go first',
  },
  DIAGNOSTICS_RETENTION_DAYS: {
    type: wholeNumber(1, 3650),
    default: '90',
    description: 'Days after which diagnostics are deleted',
  },
  S3_BUCKET: {
    type: text(63),
    unset: 'the folder archives under DATA_DIR',
    description: 'Bucket for diagnostics archives; needs S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY',
  },
  S3_ENDPOINT: {
    type: origin,
    unset: 'AWS',
    description: 'Address of an S3-compatible store, such as https://s3.example.com',
  },
  S3_REGION: { type: text(64), default: 'us-east-1', description: 'Region of S3_BUCKET' },
  S3_ACCESS_KEY_ID: { type: text(256), unset: 'none', description: 'Key that may read and write S3_BUCKET' },
  S3_SECRET_ACCESS_KEY: { type: secret(8, 256), unset: 'none', description: 'Secret of S3_ACCESS_KEY_ID' },
  ...backupVariables,
  ALERT_WEBHOOK_PRIVATE: {
    type: yesOrNo,
    default: 'false',
    description:
      'Whether webhooks of alerts may go to the server’s own network (private and local addresses)',
  },
  TELEGRAM_API_URL: {
    type: origin,
    default: 'https://api.telegram.org',
    description:
      'Bot API of Telegram that messages of alerts go to: another one where the server cannot reach that itself',
  },
  TRUSTED_PROXIES: {
    type: proxies,
    unset: 'none',
    description: 'Reverse proxies whose X-Forwarded-* headers are believed, with commas between them',
  },
  APP_ENV: {
    type: oneOf(['development', 'test', 'staging', 'production']),
    default: 'development',
    description: 'Kind of installation; errors are reported from staging and production only',
  },
  SENTRY_DSN: {
    type: address(['http', 'https'], 'https://key@sentry.example.com/1'),
    unset: 'no error reports',
    description: 'Sentry project that errors of the console are reported to',
  },
  LOG_LEVEL: {
    type: oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    default: 'info',
    description: 'Least severe log lines that are written',
  },
  TLS_CERT: {
    type: text(4096),
    unset: 'plain HTTP',
    description: 'Certificate file (PEM), read again when it changes',
  },
  TLS_KEY: { type: text(4096), unset: 'plain HTTP', description: 'Key file (PEM) of TLS_CERT' },
  HTTP_PORT: {
    type: wholeNumber(1, 65535),
    unset: 'none',
    description:
      'Second port, usually 80, that sends browsers to PUBLIC_URL and answers http-01, where this server itself has TLS',
  },
  ...acmeVariables,
} as const;

export type VariableName = keyof typeof variables;
