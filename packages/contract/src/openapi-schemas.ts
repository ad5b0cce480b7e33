import { z } from 'zod';
import * as schemas from './schemas/index.ts';

export type Json = Record<string, unknown>;

function nameSchemas() {
  const names = z.registry<{ id: string }>();
  for (const [name, schema] of Object.entries(schemas)) {
    if (schema instanceof z.ZodType)
      names.add(schema, { id: name.replace(/^./, (first) => first.toUpperCase()) });
  }
  return names;
}

/** Reads schemas as JSON Schema. What has a name is referred to by it, and described once. */
export function createSchemaReader() {
  const names = nameSchemas();
  const components = new Map<string, unknown>();
  return {
    read(schema: z.ZodType, io: 'input' | 'output'): Json {
      const made = z.toJSONSchema(schema, {
        io,
        metadata: names,
        unrepresentable: 'any',
        target: 'draft-2020-12',
      });
      // One document has one place for names.
      const text = JSON.stringify(made).replaceAll('#/$defs/', '#/components/schemas/');
      const { $schema: _, $defs = {}, ...rest } = JSON.parse(text);
      for (const [name, described] of Object.entries($defs)) {
        const known = components.get(name);
        if (known !== undefined && JSON.stringify(known) !== JSON.stringify(described))
          throw new Error(`${name} is taken and answered in two shapes: give each a schema of its own.`);
        components.set(name, described);
      }
      return rest;
    },
    /** All that was referred to so far, by name. */
    listComponents(): Json {
      return Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1)));
    },
  };
}
