import { expect, test } from 'vitest';
import { loadConfig } from '../../config/config.ts';
import { readEnvironment } from '../../config/env.ts';
import { listDesiredCertificates } from './desired-certificates.ts';

function wantedOf(env: Record<string, string>) {
  const given = { ACME_EMAIL: 'operator@pult.test', PUBLIC_URL: 'https://pult.test', ...env };
  const config = loadConfig(readEnvironment({ env: given, directory: null }), { version: '' });
  return listDesiredCertificates(config).map(({ name, hosts, challenge }) => [name, challenge, ...hosts]);
}

const wirenBoard = ['wiren-board', 'tls-alpn-01', 'agent.pult.test', 'tunnel.pult.test'];

test('a server gets one certificate for all the names under which it is asked', () => {
  expect(
    wantedOf({
      AGENT_URLS: 'https://agents.test,http://10.0.0.1,https://10.0.0.2',
      WB_DEVICE_CA: 'builtin',
      GRAFANA_URL: 'http://127.0.0.1:3000',
      GRAFANA_ADMIN_USER: 'admin',
      GRAFANA_ADMIN_PASSWORD: 'qz8Vn2xKw0aa',
    }),
  ).toEqual([['server', 'tls-alpn-01', 'pult.test', 'agents.test', 'grafana.pult.test'], wirenBoard]);
});

test('the names of Wiren Board controllers have a certificate of their own, whose order fails alone', () => {
  expect(wantedOf({})).toEqual([['server', 'tls-alpn-01', 'pult.test'], wirenBoard]);
  const explicit = { WB_DEVICE_CA: 'builtin', WB_TUNNEL_ADDRESS: 'pult.test:7107' };
  expect(wantedOf(explicit)[1]).toEqual(['wiren-board', 'tls-alpn-01', 'agent.pult.test']);
  expect(wantedOf({ WB_TUNNEL_VERIFY: 'off' })[1]).toEqual(['wiren-board', 'tls-alpn-01', 'agent.pult.test']);
  expect(wantedOf({ ENROLLMENT_KEY: 'sixteen-characters' })).toHaveLength(1);
});

/** Of a server that takes no Wiren Board controllers. */
const without = (env: Record<string, string>) => wantedOf({ WB_DEVICE_CA: 'off', ...env });

test('the way is chosen by what is set, unless it is named', () => {
  expect(without({ HTTP_PORT: '80' })).toEqual([['server', 'http-01', 'pult.test']]);
  const hook = { ACME_DNS_HOOK: '/etc/pult/hook' };
  const wildcard = ['tunnels', 'dns-01', '*.http.pult.test'];
  expect(without(hook)).toEqual([['server', 'dns-01', 'pult.test'], wildcard]);
  expect(without({ ...hook, HTTP_PORT: '80' })).toEqual([['server', 'http-01', 'pult.test'], wildcard]);
  expect(without({ ...hook, ACME_CHALLENGE: 'tls-alpn-01', TUNNEL_DOMAIN: 'devices.test:8443' })).toEqual([
    ['server', 'tls-alpn-01', 'pult.test'],
    ['tunnels', 'dns-01', '*.http.devices.test'],
  ]);
});

test('tunnels by port, or with a certificate by file, have no wildcard', () => {
  const hook = { ACME_DNS_HOOK: '/etc/pult/hook' };
  const own = [['server', 'dns-01', 'pult.test']];
  expect(without({ ...hook, TUNNEL_MODE: 'ports' })).toEqual(own);
  expect(without({ ...hook, TUNNEL_TLS_CERT: '/a.pem', TUNNEL_TLS_KEY: '/b.pem' })).toEqual(own);
});
