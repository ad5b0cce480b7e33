import { expect, it } from 'vitest';
import { createSchemaReader } from './openapi-schemas.ts';
import { user } from './schemas/accounts.ts';
import { id } from './schemas/text.ts';

it('a schema is referred to by its name, and described once with what it refers to', () => {
  const { read, listComponents } = createSchemaReader();
  expect(read(user, 'output')).toEqual({ $ref: '#/components/schemas/User' });
  expect(read(id.nullable(), 'output')).toEqual({
    anyOf: [{ $ref: '#/components/schemas/Id' }, { type: 'null' }],
  });
  expect(Object.keys(listComponents())).toEqual(['Id', 'User']);
});

it('one name has one shape: a schema that asks for less than it answers is refused', () => {
  const { read } = createSchemaReader();
  read(user, 'output');
  expect(() => read(user, 'input')).toThrow('User is taken and answered in two shapes');
});
