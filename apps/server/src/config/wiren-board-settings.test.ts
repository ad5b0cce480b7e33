import { expect, test } from 'vitest';
import { loadConfig } from './config.ts';
import { ConfigError, readEnvironment } from './env.ts';

const read = (env: Record<string, string>) =>
  loadConfig(readEnvironment({ env, directory: null }), { version: '' }).agents;
const files = { TLS_CERT: '/a.pem', TLS_KEY: '/b.pem' };
const named = { ...files, PUBLIC_URL: 'https://pult.test' };

test.each<[string, Record<string, string>]>([
  ['TLS by files', named],
  ['TLS by an authority', { ACME_EMAIL: 'a@pult.test', PUBLIC_URL: 'https://pult.test' }],
  ['tunnels by port elsewhere', { ...named, TUNNEL_MODE: 'ports' }],
])('controllers of Wiren Board are taken by nobody’s wish where they can be: %s', (_, env) => {
  expect(read(env)).toMatchObject({
    wirenBoard: { isAutomatic: true, deviceCa: 'builtin', tunnelPort: 7107 },
  });
});

test.each<[reason: string, Record<string, string>]>([
  ['no_name', {}],
  ['no_name', { ...files, PUBLIC_URL: 'https://192.168.1.5' }],
  ['no_name', { ...files, PUBLIC_URL: 'https://[2001:db8::1]:8443' }],
  ['no_name', { ...files, PUBLIC_URL: 'https://boiler-house' }],
  ['no_name', { ...files, PUBLIC_URL: 'https://pult.localhost' }],
  ['no_tls', { PUBLIC_URL: 'http://pult.test' }],
  ['tls_elsewhere', { PUBLIC_URL: 'https://pult.test', TRUSTED_PROXIES: '127.0.0.1' }],
  ['enrollment_key', { ...named, ENROLLMENT_KEY: 'sixteen-characters' }],
  ['turned_off', { ...named, WB_DEVICE_CA: 'off' }],
  ['port_taken', { ...named, PORT: '7107' }],
  ['port_taken', { ...named, HTTP_PORT: '7107' }],
  ['port_taken', { ...named, METRICS_PORT: '7107' }],
  ['port_taken', { ...named, SSH_JUMP_PORT: '7107' }],
  ['port_taken', { ...named, WB_TUNNEL_PORT: '2222' }],
  ['port_taken', { ...named, TUNNEL_MODE: 'ports', TUNNEL_PORTS: '7100-7200' }],
])('controllers of Wiren Board are not taken, by name %s, with %j', (reason, env) => {
  const { wirenBoard, wirenBoardOff } = read(env);
  expect(wirenBoard).toBeUndefined();
  expect(wirenBoardOff).toMatchObject({ reason, port: Number(env.WB_TUNNEL_PORT ?? 7107) });
});

test('controllers of Wiren Board are taken wherever somebody has asked for them', () => {
  const asked = {
    WB_DEVICE_CA: 'builtin',
    ENROLLMENT_KEY: 'sixteen-characters',
    PUBLIC_URL: 'http://pult.test',
  };
  expect(read(asked)).toMatchObject({ wirenBoard: { isAutomatic: false, deviceCa: 'builtin' } });
  expect(read({ WB_DEVICE_CA: 'ca.pem' }).wirenBoard?.deviceCa).toMatch(/\/ca\.pem$/);
});

test('a key of a proxy needs issuers, which nobody’s wish does not have', () => {
  const env = { TRUSTED_PROXIES: '127.0.0.1', WB_PROXY_SECRET: 'b2'.repeat(16) + 'c4'.repeat(16) };
  for (const WB_DEVICE_CA of ['', 'off', 'builtin'])
    expect(() => read({ ...env, WB_DEVICE_CA })).toThrow(ConfigError);
});
