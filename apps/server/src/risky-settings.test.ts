import { expect, it, vi } from 'vitest';
import { loadConfig } from './config/config.ts';
import { readEnvironment } from './config/env.ts';
import { createLog } from './platform/log.ts';
import { warnOfRiskySettings } from './risky-settings.ts';

function listWarnings(variables: Record<string, string>): unknown[] {
  const log = createLog('silent');
  const warn = vi.spyOn(log, 'warn');
  warnOfRiskySettings(
    loadConfig(readEnvironment({ env: variables, directory: null }), { version: '1.0.0' }),
    log,
  );
  return warn.mock.calls.map(([fields]) => (fields as unknown as { setting: string }).setting); // as it is logged
}

const key = { ENROLLMENT_KEY: 'correct-enrolment-key-1' };
const grafana = {
  ...key,
  GRAFANA_URL: 'http://127.0.0.1:3000',
  GRAFANA_ADMIN_USER: 'admin',
  GRAFANA_ADMIN_PASSWORD: 'grafana-of-a-test-7',
};

it.each<[Record<string, string>, string[]]>([
  [{}, []],
  [{ PUBLIC_URL: 'http://127.0.0.1:8080' }, []],
  [{ PUBLIC_URL: 'http://[::1]:8080' }, []],
  [{ PUBLIC_URL: 'http://192.168.1.10:8080' }, []],
  [{ PUBLIC_URL: 'http://controllers:8080' }, []],
  [{ PUBLIC_URL: 'http://8.8.8.8:8080' }, ['ENROLLMENT_KEY']],
  [{ PUBLIC_URL: 'http://localhost:8080', AGENT_URLS: 'https://pult.example.com' }, ['ENROLLMENT_KEY']],
  [{ PUBLIC_URL: 'http://pult.site.lan', TUNNEL_DOMAIN: 'devices.lan' }, []],
  [{ PUBLIC_URL: 'https://pult.example.com', ...key, TUNNEL_DOMAIN: 'pult-devices.example' }, []],
  [{ PUBLIC_URL: 'https://pult.example.com', TUNNEL_DOMAIN: 'pult-devices.example' }, ['ENROLLMENT_KEY']],
  [{ PUBLIC_URL: 'https://pult.example.com' }, ['ENROLLMENT_KEY', 'TUNNEL_DOMAIN']],
  [{ PUBLIC_URL: 'https://pult.example.com', ...key }, ['TUNNEL_DOMAIN']],
  [
    { PUBLIC_URL: 'https://pult.example.com', ...key, TUNNEL_DOMAIN: 'devices.example.com' },
    ['TUNNEL_DOMAIN'],
  ],
  [{ PUBLIC_URL: 'https://pult.co.uk', ...key, TUNNEL_DOMAIN: 'pult-devices.co.uk' }, []],
  [{ PUBLIC_URL: 'https://pult.co.uk', ...key, TUNNEL_DOMAIN: 'devices.pult.co.uk' }, ['TUNNEL_DOMAIN']],
  [{ PUBLIC_URL: 'https://pult.example.com', ...key, TUNNEL_MODE: 'ports' }, []],
  [{ ...grafana, VICTORIAMETRICS_URL: 'http://127.0.0.1:8428' }, ['VICTORIAMETRICS_URL']],
  [{ ...grafana, VICTORIAMETRICS_URL: 'http://10.0.0.5:8428' }, ['VICTORIAMETRICS_URL']],
  [{ ...grafana, VICTORIAMETRICS_URL: 'http://user:password-of-a-test@10.0.0.5:8428' }, []],
  [{ ...grafana, VICTORIAMETRICS_URL: 'http://127.0.0.1:8428', GRAFANA_URL: 'http://10.0.0.6:3000' }, []],
  [{ VICTORIAMETRICS_URL: 'http://127.0.0.1:8428' }, []],
  [{ HTTP2: 'on' }, ['HTTP2']],
  [{ HTTP2: 'off', TLS_CERT: 'a.pem', TLS_KEY: 'b.pem' }, ['HTTP2']],
  [{ HTTP2: ' ' }, []],
])('the server warns of settings that are risky or gone, and of no others: %o', (variables, settings) => {
  expect(listWarnings(variables)).toEqual(settings);
});
