/** An error goes into the log whole, as `err`, so that its stack is there: `error: error.message` loses it. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../processes.mjs';
import { listSources } from './sources.mjs';

const logCall = /\blog(?:ger)?\.(?:trace|debug|info|warn|error|fatal)\(\s*\{([^{}]*)\}/g;

export function findLostStacks(path, text) {
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

export const loggedErrors = {
  name: 'logged errors',
  async run() {
    const paths = await listSources(['apps/*.ts', 'packages/*.ts']);
    return paths.flatMap((path) => findLostStacks(path, readFileSync(join(root, path), 'utf8')));
  },
};
