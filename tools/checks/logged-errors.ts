/** An error goes into the log whole, as `err`, so that its stack is there: `error: error.message` loses it. */

import type { Check } from '../check.ts';
import { readSources, type Source } from './sources.ts';

const logCall = /\blog(?:ger)?\.(?:trace|debug|info|warn|error|fatal)\(\s*\{([^{}]*)\}/g;

export function findLostStacks({ path, text }: Source): string[] {
  return [...text.matchAll(logCall)]
    .filter(([, fields = '']) =>
      /\berror\b\s*[:,]|\berror\s*$|\b(error|cause|failure)( as Error\))?\.message\b/.test(
        fields.replace(/\berr: \w+/g, ''),
      ),
    )
    .map(
      ({ index }) => `${path}:${text.slice(0, index).split('\n').length}: log an error as { err: error }.`,
    );
}

export const loggedErrors: Check = {
  name: 'logged errors',
  async run() {
    const sources = await readSources(['apps/*.ts', 'packages/*.ts']);
    return sources.flatMap(findLostStacks);
  },
};
