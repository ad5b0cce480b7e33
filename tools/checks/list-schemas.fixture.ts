import * as contract from '@pult/contract';
import * as link from '@pult/link';

/** What of a zod schema is needed here. */
interface Schema {
  safeParse(value: unknown): unknown;
  _zod: { def: { type: string } };
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && 'safeParse' in value && '_zod' in value;
}

/** Those that look at a text themselves; the others only hand on to what is in them. */
const lookAtTexts = new Set(['string', 'transform', 'custom']);

/** Each schema of a text within what the API and the device link take, once, with its place. */
export function listTextSchemas(): Map<Schema, string> {
  const found = new Map<Schema, string>();
  const seen = new Set<unknown>();
  const visit = (value: unknown, where: string): void => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return;
    seen.add(value);
    if (!isSchema(value)) {
      for (const [key, part] of Object.entries(value)) visit(part, `${where}.${key}`);
      return;
    }
    const { def } = value._zod;
    if (lookAtTexts.has(def.type)) found.set(value, where);
    for (const [key, part] of Object.entries(def)) {
      // A schema applies its checks itself.
      if (key !== 'checks') visit(part, key === 'shape' ? where : `${where}.${key}`);
    }
  };
  for (const [name, { params, query, body }] of Object.entries<contract.Route>(contract.routes)) {
    visit({ params, query, body }, name);
  }
  for (const [name, exported] of Object.entries({ ...contract, ...link })) {
    if (isSchema(exported)) visit(exported, name);
  }
  return found;
}
