import { serialNumber as serialNumberSchema } from '@pult/contract';
import { CliError } from '../cli-error.ts';
import type { Command } from '../command.ts';
import { proxyArguments, runOpenSsh, setUpSsh } from '../ssh-setup.ts';

/** `A1B2C3D4`, or `user@A1B2C3D4`. */
function readTarget(text: string): { user: string | undefined; serialNumber: string } {
  const at = text.lastIndexOf('@');
  const parsed = serialNumberSchema.safeParse(text.slice(at + 1));
  if (!parsed.success) throw new CliError('usage', `${text} is no serial number.`);
  return { user: at < 0 ? undefined : text.slice(0, at), serialNumber: parsed.data };
}

export const ssh: Command = {
  name: 'ssh',
  usage: '[USER@]SERIAL [-- COMMAND …]',
  summary: 'Log in to a controller by SSH',
  description: [
    'Goes through the jump host with a key that is made for this one connection and that the server takes for five minutes; nothing of your SSH has to be set up. The login at the controller itself is yours: by password, or by the keys that your SSH has. Without USER it is `root`.',
    'The exit code is that of `ssh`. A token needs `tunnels.open`.',
  ],
  examples: ['pult ssh A1B2C3D4', 'pult ssh A1B2C3D4 -- systemctl status'],
  options: [{ name: 'identity', short: 'i', value: 'FILE', text: 'A key for the login at the controller' }],
  takesRest: true,
  async run({ positionals: [target = '', ...words], values }, { server, env }) {
    const { user = 'root', serialNumber } = readTarget(target);
    const setup = await setUpSsh(server(), serialNumber, env);
    const identity = values.identity === undefined ? [] : ['-i', values.identity];
    try {
      return await runOpenSsh('ssh', ['-F', setup.config, ...identity, '-l', user, serialNumber, ...words]);
    } finally {
      setup.remove();
    }
  },
};

export const copy: Command = {
  name: 'cp',
  usage: 'SOURCE … TARGET',
  summary: 'Copy files to a controller, or from it',
  description: ['One side is `[USER@]SERIAL:PATH`, as for `scp`, which does the work. Folders are copied with what is in them.'],
  examples: ['pult cp A1B2C3D4:/var/log/syslog .', 'pult cp rules.js A1B2C3D4:/etc/wb-rules/'],
  options: [{ name: 'identity', short: 'i', value: 'FILE', text: 'A key for the login at the controller' }],
  async run({ positionals, values }, { server, env }) {
    const remote = positionals.flatMap((place) => /^([^/:]+):/.exec(place)?.[1] ?? []);
    const targets = remote.map(readTarget);
    const [first] = targets;
    if (!first || positionals.length < 2 || targets.some((each) => each.serialNumber !== first.serialNumber)) {
      throw new CliError('usage', 'pult cp SERIAL:PATH TARGET, or SOURCE SERIAL:PATH; of one controller.');
    }
    const places = positionals.map((place) => {
      const [, named] = /^([^/:]+):/.exec(place) ?? [];
      if (named === undefined) return place;
      const { user = 'root', serialNumber } = readTarget(named);
      return `${user}@${serialNumber}${place.slice(named.length)}`;
    });
    const setup = await setUpSsh(server(), first.serialNumber, env);
    const identity = values.identity === undefined ? [] : ['-i', values.identity];
    try {
      return await runOpenSsh('scp', ['-r', '-F', setup.config, ...identity, '--', ...places]);
    } finally {
      setup.remove();
    }
  },
};

export const proxy: Command = {
  name: 'proxy',
  usage: 'SERIAL',
  summary: 'The SSH port of a controller on standard input and output, for ProxyCommand',
  examples: ["ssh -o ProxyCommand='pult proxy %h' root@A1B2C3D4"],
  async run({ positionals: [target = ''] }, { server, env }) {
    const { serialNumber } = readTarget(target);
    const setup = await setUpSsh(server(), serialNumber, env);
    try {
      return await runOpenSsh('ssh', proxyArguments(setup, serialNumber));
    } finally {
      setup.remove();
    }
  },
};
