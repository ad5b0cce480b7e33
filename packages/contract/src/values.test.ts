import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { createOpenApiDocument } from './openapi.ts';
import { terminalPath, tunnelKeyHeader } from './schemas/terminal.ts';
import { formatTunnelPlace, openTunnelRequest, readTunnelPlace, sshStreamPath } from './schemas/tunnels.ts';
import { systemMetricNames, systemMetricTable } from './system-metrics.ts';
import { pultCommand, startCommand } from './values/commands.ts';
import {
  containsFilters,
  controllerOrderings,
  exportedFields,
  isSearchedField,
  plainFields,
} from './values/controller-fields.ts';
import { sharedRecordKinds, tunnelRecordKinds } from './values/tunnels.ts';

it('controllers are ordered, filtered, exported and searched by these fields and no others', () => {
  expect(controllerOrderings).toEqual([
    'serial_number',
    'description',
    'group_name',
    'status',
    'last_seen_at',
    'firmware_version',
    'month_traffic',
    'agent_version',
    'connection_kind',
    'activated_at',
  ]);
  expect(containsFilters).toEqual([
    'serial_number',
    'description',
    'group_name',
    'firmware_version',
    'model',
    'agent_version',
  ]);
  expect(exportedFields).toEqual([
    'serial_number',
    'description',
    'organization',
    'group_name',
    'status',
    'last_seen_at',
    'firmware_version',
    'month_traffic',
    'model',
    'agent_version',
    'connection_kind',
    'latitude',
    'longitude',
    'activated_at',
    'detached_at',
  ]);
  expect(plainFields).toEqual([
    'serial_number',
    'description',
    'status',
    'firmware_version',
    'model',
    'agent_version',
    'connection_kind',
    'latitude',
    'longitude',
  ]);
  expect(exportedFields.filter(isSearchedField)).toEqual([
    'serial_number',
    'description',
    'firmware_version',
  ]);
});

it('little is bad of what is free and of the time since a start, much of everything else', () => {
  const low = systemMetricNames.filter((name) => systemMetricTable[name].isWorstWhenLow);
  expect(low).toEqual(['mem_available', 'disk_free_root', 'disk_free_data', 'uptime']);
});

it('tunnels have five kinds of records, of which web pages and TCP ports are shared', () => {
  expect(tunnelRecordKinds).toEqual(['http', 'terminal', 'ssh_stream', 'ssh_jump', 'tcp']);
  expect([...sharedRecordKinds]).toEqual(['http', 'tcp']);
});

it('a tunnel leads to a protocol, to the port of a named endpoint, or to any port by a forwarding protocol', () => {
  const places = ['http', 'ssh', '8080', 'tcp-5432'];
  expect(places.map(readTunnelPlace)).toEqual([
    { protocol: 'http', port: null },
    { protocol: 'ssh', port: null },
    { protocol: 'http', port: 8080 },
    { protocol: 'tcp', port: 5432 },
  ]);
  expect(
    places.map((text) => formatTunnelPlace(readTunnelPlace(text) ?? { protocol: 'ssh', port: 0 })),
  ).toEqual(places);
  for (const text of [
    '',
    'tcp',
    'tcp-',
    '-80',
    'tcp-0',
    'tcp-65536',
    'tcp-tcp-80',
    'http-80',
    'ssh-22',
    'udp-53',
    '1e3',
  ])
    expect(readTunnelPlace(text), text).toBeUndefined();
});

it('clients outside the console find the addresses and the header of SSH where they were', () => {
  expect([terminalPath, sshStreamPath]).toEqual(['/api/v1/ssh-terminal/', '/api/v1/ssh-stream/']);
  expect(tunnelKeyHeader).toBe('pult-tunnel-key');
});

it('a path of a tunnel that leads elsewhere is invalid, by that word', () => {
  expect(openTunnelRequest.safeParse({ path: '/page?x=1' }).success).toBe(true);
  for (const path of ['//other.example', '/\\other.example', 'page', '/a b', '/a\\b', '/a\n'])
    expect(openTunnelRequest.safeParse({ path }).error?.issues).toMatchObject([{ message: 'invalid' }]);
});

it('bodies of requests are documented as JSON', () => {
  const { paths } = createOpenApiDocument({ title: '', version: '' });
  const bodies = Object.values(paths as Record<string, Record<string, { requestBody?: { content: object } }>>)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ requestBody }) => (requestBody ? [Object.keys(requestBody.content)] : []));
  expect(bodies.length).toBeGreaterThan(10);
  expect(new Set(bodies.flat())).toEqual(new Set(['application/json']));
});

it('the commands that texts tell are scripts of the package', () => {
  const { scripts } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
  expect([startCommand, pultCommand]).toEqual(['npm start', 'npm run pult --']);
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(['start', 'pult']));
});
