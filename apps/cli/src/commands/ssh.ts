import { CliError } from '../cli-error.ts';
import type { Command } from '../command.ts';
import { usageOf } from '../help.ts';
import { readSerialNumber } from '../serial-number.ts';
import { proxyArguments, runOpenSsh } from '../ssh-setup.ts';

/** `A1B2C3D4`, or `user@A1B2C3D4`; without a user it is root. */
function readTarget(text: string): { user: string; serialNumber: string } {
  const at = text.lastIndexOf('@');
  const user = at < 0 ? 'root' : text.slice(0, at);
  if (!/^[\w.][\w.@+-]*$/.test(user)) throw new CliError('usage', `${user} is no name of a user.`);
  return { user, serialNumber: readSerialNumber(text.slice(at + 1)) };
}

const identityOption = {
  name: 'identity',
  short: 'i',
  value: 'FILE',
  text: 'A key for the login at the controller',
};
const identityOf = ({ identity }: { identity?: string | undefined }) =>
  identity === undefined ? [] : ['-i', identity];

export const ssh: Command = {
  name: 'ssh',
  usage: '[USER@]SERIAL [-- COMMAND …]',
  summary: 'Log in to a controller by SSH',
  description: [
    'Goes through the jump host with a key that is made for this one connection and that the server takes for five minutes; nothing of your SSH has to be set up, and no other configuration of it is read. The jump host is known by the fingerprint that the server tells. The login at the controller itself is yours: by password, or by the keys that your SSH has. Without USER it is `root`.',
    'The host key of a controller is taken at the first login and kept in `pult/known_hosts` beside the stored login. The exit code is that of `ssh`. A token needs `tunnels.open`; what it has opened ends with it.',
  ],
  examples: ['pult ssh A1B2C3D4', 'pult ssh A1B2C3D4 -- systemctl status'],
  options: [identityOption],
  words: [1],
  takesRest: true,
  async run({ positionals: [target = '', ...words], values }, { server, env }) {
    const { user, serialNumber } = readTarget(target);
    const args = [...identityOf(values), '-l', user, '--', serialNumber, ...words];
    return runOpenSsh({ server: server(), serialNumber, env }, 'ssh', args);
  },
};

/** `[USER@]SERIAL:PATH`; anything with a slash before its colon is a place here, as for scp. */
function readPlace(place: string) {
  const [, named] = /^([^/:]+):/.exec(place) ?? [];
  if (named === undefined)
    return { word: place.startsWith('-') ? `./${place}` : place, serialNumber: undefined };
  const { user, serialNumber } = readTarget(named);
  return { word: `${user}@${serialNumber}${place.slice(named.length)}`, serialNumber };
}

export const copy: Command = {
  name: 'cp',
  usage: 'SOURCE … TARGET',
  summary: 'Copy files to a controller, or from it',
  description: [
    'One side is `[USER@]SERIAL:PATH`, as for `scp`, which does the work. Folders are copied with what is in them.',
  ],
  examples: ['pult cp A1B2C3D4:/var/log/syslog .', 'pult cp rules.js A1B2C3D4:/etc/wb-rules/'],
  options: [identityOption],
  words: [2],
  async run({ positionals, values }, { server, env }) {
    const places = positionals.map(readPlace);
    const [serialNumber, ...others] = new Set(places.flatMap((place) => place.serialNumber ?? []));
    const isTarget = places.at(-1)?.serialNumber !== undefined;
    const isOneWay = places.slice(0, -1).every((place) => (place.serialNumber !== undefined) !== isTarget);
    if (serialNumber === undefined || others.length > 0 || !isOneWay) {
      throw new CliError(
        'usage',
        `${usageOf(copy)}\nOne side is of a controller, the other of this computer.`,
      );
    }
    const args = ['-r', ...identityOf(values), '--', ...places.map(({ word }) => word)];
    return runOpenSsh({ server: server(), serialNumber, env }, 'scp', args);
  },
};

export const proxy: Command = {
  name: 'proxy',
  usage: 'SERIAL',
  summary: 'The SSH port of a controller on standard input and output, for ProxyCommand',
  description: ['What the inventory gives to Ansible. A token needs `tunnels.open`.'],
  examples: ["ssh -o ProxyCommand='pult proxy %h' root@A1B2C3D4"],
  words: [1, 1],
  async run({ positionals: [serial] }, { server, env }) {
    const serialNumber = readSerialNumber(serial);
    return runOpenSsh({ server: server(), serialNumber, env }, 'ssh', proxyArguments(serialNumber));
  },
};
