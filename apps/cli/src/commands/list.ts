import type { Controller } from '@pult/contract';
import { type Command, jsonOption } from '../command.ts';
import { listControllers } from '../controllers.ts';
import { formatJson, toPlain } from '../plain-text.ts';
import { readSerialNumber } from '../serial-number.ts';
import { formatCsv, formatTable, type Row, readFormat } from '../tables.ts';

const columns = ['serial', 'status', 'description', 'group', 'model', 'firmware', 'organization'] as const;

function toRow(controller: Controller): Row {
  const {
    serialNumber: serial,
    status,
    description,
    group,
    model,
    firmwareVersion,
    organization,
  } = controller;
  return {
    serial,
    status,
    description,
    group: group?.name ?? '',
    model,
    firmware: firmwareVersion,
    organization: organization.name,
  };
}

export const list: Command = {
  name: 'ls',
  usage: '[FILTER] [--status STATUS] [-o table|json|csv]',
  summary: 'List controllers',
  description: [
    'FILTER is a part of the serial number, the description, the firmware version or the name of the group. A token needs `controllers.read`.',
  ],
  examples: ['pult ls boiler --status offline', 'pult ls -o csv > controllers.csv'],
  options: [
    { name: 'output', short: 'o', value: 'FORMAT', text: '`table`, `json` or `csv`' },
    { name: 'status', value: 'STATUS', text: '`online`, `offline`, `never`, or several with commas' },
    jsonOption,
  ],
  words: [0, 1],
  async run({ positionals: [search], values, switches }, { server, write }) {
    const format = readFormat(values.output, switches.has('json'));
    const found = await listControllers(server(), { search, status: values.status });
    if (format === 'json') write(formatJson(found));
    else write((format === 'csv' ? formatCsv : formatTable)(columns, found.map(toRow)));
    return undefined;
  },
};

function describeValue(value: unknown): string {
  if (value === null || value === '') return '-';
  if (typeof value !== 'object') return toPlain(String(value));
  return toPlain('name' in value && typeof value.name === 'string' ? value.name : JSON.stringify(value));
}

export const show: Command = {
  name: 'show',
  usage: 'SERIAL [--json]',
  summary: 'Show a controller',
  description: ['A token needs `controllers.read`.'],
  options: [jsonOption],
  words: [1, 1],
  async run({ positionals: [serial], switches }, { server, write }) {
    const params = { serialNumber: readSerialNumber(serial) };
    const controller = await server().call('getController', { params });
    if (switches.has('json')) {
      write(formatJson(controller));
      return undefined;
    }
    const lines = Object.entries(controller);
    const width = Math.max(...lines.map(([name]) => name.length));
    write(lines.map(([name, value]) => `${name.padEnd(width)}  ${describeValue(value)}\n`).join(''));
    return undefined;
  },
};
