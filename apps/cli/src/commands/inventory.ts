import type { Controller } from '@pult/contract';
import type { Command } from '../command.ts';
import { listControllers } from '../controllers.ts';
import { createInventory } from '../inventory.ts';
import { ownCommand, quote } from '../own-command.ts';

/** Ansible connects by OpenSSH, which reaches the controller through this very program. */
function hostVars({ serialNumber, status, description, model, firmwareVersion }: Controller) {
  return {
    ansible_host: serialNumber,
    ansible_user: 'root',
    ansible_ssh_common_args: `-o ProxyCommand=${quote(`${ownCommand()} proxy ${serialNumber}`.replaceAll('%', '%%'))}`,
    pult_status: status,
    pult_description: description,
    pult_model: model,
    pult_firmware: firmwareVersion,
  };
}

export const inventory: Command = {
  name: 'inventory',
  usage: '--list | --host SERIAL',
  summary: 'The controllers as a dynamic inventory of Ansible',
  description: [
    'Hosts are serial numbers, groups those of the tree: names in `[a-z0-9_]`, with the name as people wrote it in `pult_name`. Connections go through the jump host; nothing has to be set up.',
    'A token needs `controllers.read` for the list, and `tunnels.open` for Ansible to connect.',
  ],
  examples: ["printf '#!/bin/sh\\nexec pult inventory \"$@\"\\n' > pult.sh && chmod +x pult.sh", 'ansible-inventory -i pult.sh --graph'],
  options: [
    { name: 'list', text: 'All hosts and groups' },
    { name: 'host', value: 'SERIAL', text: 'The variables of one host' },
  ],
  async run({ values }, { server, write }) {
    const all = values.host === undefined;
    const found = all
      ? createInventory(await listControllers(server()), hostVars)
      : hostVars(await server().call('getController', { params: { serialNumber: values.host ?? '' } }));
    write(`${JSON.stringify(found, null, 2)}\n`);
    return undefined;
  },
};
