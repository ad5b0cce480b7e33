import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Config } from './config/config.ts';
import { goneVariables } from './config/gone-variables.ts';
import type { Logger } from './platform/log.ts';
import { isOwnMachine, toHostName } from './platform/network.ts';

/** Warns once of settings that are risky where this server stands, or gone; each line says what to do. */
export function warnOfRiskySettings(config: Config, log: Logger): void {
  const { agents, http, tunnels, metrics, grafana, gone } = config;
  for (const setting of gone)
    log.warn({ setting }, `this version does not read ${setting}: ${goneVariables[setting].en}`);
  if (agents.enrollmentKey === undefined && agents.urls.some((url) => isPublic(new URL(url).hostname))) {
    log.warn(
      { setting: 'ENROLLMENT_KEY' },
      'any device may enrol: set ENROLLMENT_KEY, so that strangers cannot fill the list of unclaimed devices',
    );
  }
  const console = new URL(http.publicUrl).hostname;
  const devices = new URL(`http://${tunnels.domain}`).hostname;
  if (tunnels.mode === 'subdomain' && !isOwnMachine(console) && shareCookies(console, devices)) {
    log.warn(
      { setting: 'TUNNEL_DOMAIN', domain: tunnels.domain },
      'pages of devices can set cookies that keep a browser out of the console: ' +
        'set TUNNEL_DOMAIN to a domain that was registered apart from that of PUBLIC_URL',
    );
  }
  if (grafana && metrics.victoriaMetricsUrl && isWithinReach(metrics.victoriaMetricsUrl, grafana.url)) {
    log.warn(
      { setting: 'VICTORIAMETRICS_URL' },
      'VictoriaMetrics asks for no password, and Grafana may reach it: who can make Grafana call addresses there ' +
        'reads the measurements of all organizations; keep it out of Grafana’s reach',
    );
  }
}

/** Whether strangers may reach it, as far as a name tells. */
function isPublic(hostname: string): boolean {
  const name = toHostName(hostname);
  if (isIP(name) !== 0) return ipaddr.process(name).range() === 'unicast';
  return name.includes('.') && !/\.(localhost|local|lan|home|internal|home\.arpa)$/.test(name);
}

/** Second levels under which countries register names, such as `co.uk`. */
const registries = new Set('ac co com edu go gob gov ltd me mil ne net nom or org plc sch'.split(' '));

/**
 * Whether pages of both can set cookies for a domain above both. Browsers ask the Public Suffix List; its usual forms
 * do for a warning.
 */
function shareCookies(one: string, other: string): boolean {
  const [labels, others] = [one, other].map((name) => toHostName(name).split('.').reverse());
  if (!labels || !others) return false;
  const differing = labels.findIndex((label, index) => label !== others[index]);
  const common = differing === -1 ? labels : labels.slice(0, differing);
  if (common.length !== 2) return common.length > 2;
  const [country = '', registry = ''] = common;
  return country.length !== 2 || !registries.has(registry);
}

function isWithinReach(victoriaMetrics: string, grafana: string): boolean {
  const store = new URL(victoriaMetrics);
  if (store.username !== '') return false;
  return !isOwnMachine(store.hostname) || isOwnMachine(new URL(grafana).hostname);
}
