/** What the docs repeat is what code and tests say: written by `npm run docs`, compared here. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Check } from '../check.ts';
import { createDocuments } from '../docs.ts';
import { root } from '../processes.mjs';

export const generatedDocs: Check = {
  name: 'generated docs',
  async run() {
    const documents = await createDocuments();
    return documents
      .filter(({ path, text }) => readFileSync(join(root, path), 'utf8') !== text)
      .map(({ path }) => `${path} is out of date: run \`npm run docs\`.`);
  },
};
