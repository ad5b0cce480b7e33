import { spawn } from 'node:child_process';
import type { Command } from '../command.ts';

/** Undefined where there is no program for it. */
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

export const open: Command = {
  name: 'open',
  usage: 'SERIAL [--service PORT] [--print]',
  summary: 'Open the web interface of a controller in the browser',
  description: ['The address is good once, and for a minute. A token needs `tunnels.open`.'],
  options: [
    { name: 'service', value: 'PORT', text: 'A web service of the controller, by its port' },
    { name: 'print', text: 'Only write the address' },
  ],
  async run({ positionals: [serialNumber = ''], values, switches }, { server, write, note }) {
    const protocol = values.service === undefined ? 'http' : `port-${values.service}`;
    const { tunnelRedirectUrl } = await server().call('openTunnel', { params: { serialNumber, protocol } });
    if (switches.has('print')) write(`${tunnelRedirectUrl}\n`);
    else if (!(await openBrowser(tunnelRedirectUrl))) note(`Open this address:\n${tunnelRedirectUrl}\n`);
    return undefined;
  },
};
