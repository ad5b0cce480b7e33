import type { Controller } from '@pult/contract';
import { toPlain } from './plain-text.ts';

/** What Ansible reads of `--list`. */
export interface Inventory {
  _meta: { hostvars: Record<string, Record<string, unknown>> };
  [group: string]: unknown;
}

const ownNames = ['all', 'ungrouped'];

/** Ansible runs `{{ … }}` and its like where it uses a variable: people's words are to be no more than words. */
export const toInert = (text: string) => toPlain(text).replace(/\{(?=[{%#])/g, '{ ');

/** Of a group of the tree: letters, digits and underscores, which is what Ansible takes, and no name twice. */
function createGroupNames() {
  const byId = new Map<string, string>();
  const taken = new Set(ownNames);
  return (group: { id: string; name: string }): string => {
    const known = byId.get(group.id);
    if (known !== undefined) return known;
    const words = group.name.toLowerCase().match(/[a-z0-9]+/g) ?? [];
    const plain = words.join('_');
    const base = /^[a-z]/.test(plain) ? plain : `group_${plain || group.id.slice(-8)}`;
    let name = base;
    for (let number = 2; taken.has(name); number += 1) name = `${base}_${number}`;
    taken.add(name);
    byId.set(group.id, name);
    return name;
  };
}

/** Groups come from each controller's own, so that a token needs nothing but to read controllers. */
export function createInventory(
  controllers: readonly Controller[],
  hostVars: (controller: Controller) => Record<string, unknown>,
): Inventory {
  const nameOf = createGroupNames();
  const groups = new Map<string, { hosts: string[]; vars: { pult_name: string } }>();
  const ungrouped: string[] = [];
  const hostvars: Inventory['_meta']['hostvars'] = {};
  // By id, so that two groups of one name keep their numbers from one call to the next.
  const byGroup = [...controllers].sort((one, other) =>
    (one.group?.id ?? '') < (other.group?.id ?? '') ? -1 : 1,
  );
  for (const controller of byGroup) {
    const { serialNumber, group } = controller;
    hostvars[serialNumber] = hostVars(controller);
    if (!group) {
      ungrouped.push(serialNumber);
      continue;
    }
    const name = nameOf(group);
    const entry = groups.get(name) ?? { hosts: [], vars: { pult_name: toInert(group.name) } };
    entry.hosts.push(serialNumber);
    groups.set(name, entry);
  }
  return {
    _meta: { hostvars },
    all: { children: [...groups.keys(), 'ungrouped'] },
    ungrouped: { hosts: ungrouped },
    ...Object.fromEntries(groups),
  };
}
