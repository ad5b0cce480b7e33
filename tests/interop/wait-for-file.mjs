// Loaded before a program: what it waits for by `node:timers/promises` is the file that is named, not a time. It waits no
// longer than there is a folder for it.
import { existsSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { dirname } from 'node:path';
import timers from 'node:timers/promises';

const { WAIT_FOR_FILE: file = '' } = process.env;
const { setTimeout: wait } = timers;
timers.setTimeout = async () => {
  while (!existsSync(file) && existsSync(dirname(file))) await wait(20);
};
syncBuiltinESMExports();
