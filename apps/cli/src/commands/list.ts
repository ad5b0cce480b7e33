import type { Controller } from '@pult/contract';
import { type Command, jsonOption } from '../command.ts';
import { listControllers } from '../controllers.ts';
import { formatCsv, formatTable, type Row, readFormat, toPlain } from '../tables.ts';

const columns = ['serial', 'status', 'description', 'group', 'model', 'firmware', 'organization'] as const;

function toRow(controller: Controller): Row {
  const { serialNumber: serial, status, description, group, model, firmwareVersion, organization } = controller;
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
  description: ['FILTER is a part of the serial number, the description, the model or the name of the group.'],
  examples: ['pult ls boiler --status offline', 'pult ls -o csv > controllers.csv'],
  options: [
    { name: 'output', short: 'o', value: 'FORMAT', text: '`table`, `json` or `csv`' },
    { name: 'status', value: 'STATUS', text: '`online`, `offline`, `never`, or several with commas' },
    jsonOption,
  ],
  async run({ positionals: [search], values, switches }, { server, write }) {
    const format = readFormat(values.output, switches.has('json'));
    const found = await listControllers(server(), { search, status: values.status });
    if (format === 'json') write(`${JSON.stringify(found, null, 2)}\n`);
    else write((format === 'csv' ? formatCsv : formatTable)(columns, found.map(toRow)));
    return undefined;
  },
};

export const show: Command = {
  name: 'show',
  usage: 'SERIAL',
  summary: 'Show a controller',
  options: [jsonOption],
  async run({ positionals: [serialNumber = ''], switches }, { server, write }) {
    const controller = await server().call('getController', { params: { serialNumber } });
    if (switches.has('json')) {
      write(`${JSON.stringify(controller, null, 2)}\n`);
      return undefined;
    }
    const lines = Object.entries(controller).map(([name, value]): [string, string] => {
      const shown = typeof value === 'object' && value !== null && 'name' in value ? value.name : value;
      return [name, shown === null ? '-' : toPlain(typeof shown === 'object' ? JSON.stringify(shown) : String(shown))];
    });
    const width = Math.max(...lines.map(([name]) => name.length));
    write(lines.map(([name, value]) => `${name.padEnd(width)}  ${value}\n`).join(''));
    return undefined;
  },
};
