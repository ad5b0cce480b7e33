import { spawn } from 'node:child_process';
import { CliError } from '../cli-error.ts';
import { type Command, jsonOption } from '../command.ts';
import { formatJson } from '../plain-text.ts';
import { readSerialNumber } from '../serial-number.ts';

/** False where there is no program for it. */
async function openBrowser(url: string): Promise<boolean> {
  const program = process.platform === 'darwin' ? 'open' : 'xdg-open';
  return new Promise((resolve) => {
    const child = spawn(program, [url], { stdio: 'ignore', detached: true });
    child.on('error', () => resolve(false));
    child.on('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}

/** Another kind of address would start another program than the browser. */
function requireWebAddress(text: string): string {
  const url = new URL(text);
  if (!['http:', 'https:'].includes(url.protocol))
    throw new CliError('failed', 'The server gave no web address.');
  return url.href;
}

export const open: Command = {
  name: 'open',
  usage: 'SERIAL [--service PORT] [--print]',
  summary: 'Open the web interface of a controller in the browser',
  description: ['The address is good once, and for a minute. A token needs `tunnels.open`.'],
  options: [
    { name: 'service', value: 'PORT', text: 'A named service of the controller, by its port' },
    { name: 'print', text: 'Only write the address' },
    jsonOption,
  ],
  words: [1, 1],
  async run({ positionals: [serial], values, switches }, { server, write, note }) {
    const params = { serialNumber: readSerialNumber(serial), protocol: values.service ?? 'http' };
    const { tunnel, tunnelRedirectUrl } = await server().call('openTunnel', { params });
    const url = requireWebAddress(tunnelRedirectUrl);
    if (switches.has('json')) write(formatJson({ url, tunnel: tunnel.id, expiresAt: tunnel.expiresAt }));
    else if (switches.has('print')) write(`${url}\n`);
    else if (!(await openBrowser(url))) note(`Open this address:\n${url}\n`);
    return undefined;
  },
};
