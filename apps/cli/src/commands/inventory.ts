import type { Controller } from '@pult/contract';
import { CliError } from '../cli-error.ts';
import { type Command, jsonAnyhowOption } from '../command.ts';
import { listControllers } from '../controllers.ts';
import { usageOf } from '../help.ts';
import { createInventory, toInert } from '../inventory.ts';
import { formatJson } from '../plain-text.ts';
import { readSerialNumber } from '../serial-number.ts';

/** Ansible connects by OpenSSH, which reaches the controller through this very program. */
function hostVars({ serialNumber, status, description, model, firmwareVersion }: Controller) {
  return {
    ansible_host: serialNumber,
    ansible_user: 'root',
    ansible_ssh_common_args: `-o ProxyCommand=${quote(`${ownCommand()} proxy ${serialNumber}`.replaceAll('%', '%%'))}`,
    pult_status: status,
    pult_description: toInert(description),
    pult_model: toInert(model),
    pult_firmware: toInert(firmwareVersion),
  };
}

export const inventory: Command = {
  name: 'inventory',
  usage: '--list | --host SERIAL',
  summary: 'The controllers as a dynamic inventory of Ansible',
  description: [
    'Hosts are serial numbers, groups those of the tree: names in `[a-z0-9_]`, with the name as people wrote it in `pult_name`. In people’s words `{{` becomes `{ {`, so that Ansible runs none of them.',
    'Connections go through the jump host by `pult proxy`, with the server and the token that this program finds then; nothing has to be set up. A token needs `controllers.read` for the inventory, and `tunnels.open` for Ansible to connect.',
  ],
  examples: [
    'printf \'#!/bin/sh\\nexec pult inventory "$@"\\n\' > pult.sh && chmod +x pult.sh',
    'ansible-inventory -i pult.sh --graph',
  ],
  options: [
    { name: 'list', text: 'All hosts and groups' },
    { name: 'host', value: 'SERIAL', text: 'The variables of one host' },
    jsonAnyhowOption,
  ],
  words: [0, 0],
  async run({ values, switches }, { server, write }) {
    const { host } = values;
    if (switches.has('list') === (host !== undefined)) throw new CliError('usage', usageOf(inventory));
    if (host === undefined) {
      write(formatJson(createInventory(await listControllers(server()), hostVars)));
    } else {
      const params = { serialNumber: readSerialNumber(host) };
      write(formatJson(hostVars(await server().call('getController', { params }))));
    }
    return undefined;
  },
};

/** For a shell: as it is where that is safe. */
function quote(word: string): string {
  return /^[\w.@%+:/=[\]-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** How this program is called again, by another that runs it. */
function ownCommand(): string {
  return [process.execPath, process.argv[1] ?? 'pult'].map(quote).join(' ');
}
