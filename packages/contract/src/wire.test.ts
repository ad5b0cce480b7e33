import { expect, it } from 'vitest';
import { z } from 'zod';
import {
  eventMessage,
  filesClientMessage,
  filesServerMessage,
  type Route,
  routes,
  terminalClientMessage,
  terminalServerMessage,
} from './index.ts';

function describe(schema: z.ZodType, io: 'input' | 'output'): unknown {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any', reused: 'inline' });
  return rest;
}

function describeCall({ params, query, body, answer, ...route }: Route): unknown {
  const { method, path, status, access, permission, token, confirmation } = route;
  const asks = Object.entries({ params, query, body }).flatMap(([part, schema]) =>
    schema ? [[part, describe(schema, 'input')]] : [],
  );
  return {
    call: `${method} ${path}`,
    status,
    access,
    permission,
    token,
    confirmation,
    ...Object.fromEntries(asks),
    answer: answer && describe(answer, 'output'),
  };
}

/** Calls in the order of their table, and the messages of sockets and events. */
function describeWire(): string {
  const messages = {
    eventMessage,
    filesClientMessage,
    filesServerMessage,
    terminalClientMessage,
    terminalServerMessage,
  };
  const calls = Object.entries<Route>(routes).map(([name, route]) => [name, describeCall(route)]);
  const described = Object.entries(messages).map(([name, schema]) => [name, describe(schema, 'input')]);
  return `${JSON.stringify(Object.fromEntries([...calls, ...described]), null, 1)}\n`;
}

/** Its diff is what other programs will notice; `npx vitest run packages/contract -u` accepts it. */
it('the wire speaks as it did: each change of it is a decision', async () => {
  await expect(describeWire()).toMatchFileSnapshot('wire.snapshot.txt');
});
