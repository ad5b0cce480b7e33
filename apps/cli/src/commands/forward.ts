import type { AddressInfo } from 'node:net';
import { CliError } from '../cli-error.ts';
import { type Command, jsonOption } from '../command.ts';
import { openForward } from '../forward.ts';
import { usageOf } from '../help.ts';
import { formatJson } from '../plain-text.ts';
import { readSerialNumber } from '../serial-number.ts';

const readPort = (text: string | undefined) =>
  text !== undefined && /^\d{1,5}$/.test(text) && Number(text) < 65_536 ? Number(text) : undefined;

export const forward: Command = {
  name: 'forward',
  usage: 'SERIAL PORT[:LOCAL]',
  summary: 'A TCP port of a controller on this computer',
  description: [
    'Whatever connects to 127.0.0.1 at LOCAL (otherwise the same number; 0 takes a free one) is connected to PORT of the controller, until Ctrl-C. Programs of this computer alone reach it, whoever runs them.',
    'It takes `tunnels.forward`, which admins have, [whether or not the port is a service](tunnels.md#tcp-ports), and stands in the audit log with its number. The device itself decides which ports it lets through.',
  ],
  examples: ['pult forward A1B2C3D4 5432:15432', 'psql -h 127.0.0.1 -p 15432'],
  options: [jsonOption],
  words: [2, 2],
  async run({ positionals: [serial, ports = ''], switches }, { server, write, note }) {
    const serialNumber = readSerialNumber(serial);
    const [there, here, ...others] = ports.split(':');
    const port = readPort(there);
    const localPort = readPort(here ?? there);
    if (!port || localPort === undefined || others.length > 0) throw new CliError('usage', usageOf(forward));
    const listener = await openForward({ server: server(), serialNumber, port, localPort, note });
    // What listens on a port has an address of this form.
    const { port: local } = listener.address() as AddressInfo;
    if (switches.has('json')) write(formatJson({ host: '127.0.0.1', port: local }));
    else note(`127.0.0.1:${local} leads to port ${port} of ${serialNumber}. Ctrl-C ends it.\n`);
    await new Promise((resolve) => {
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, resolve);
    });
    // What is open ends with this program.
    process.exit(0);
  },
};
