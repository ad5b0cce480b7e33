/**
 * `npm run bench nodes [-- --rounds N --megabytes N]`: what a stream over a second node costs.
 * `npm run bench nodes -- --storm N [--gathered]`: one of three nodes is killed that hold so many devices, a third of them or all.
 * All on one machine and in one run; targets are those of docs, and nothing fails.
 */
import { parseArgs } from 'node:util';
import { describeMachine } from './tunnel/machine.ts';

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    megabytes: { type: 'string', default: '256' },
    storm: { type: 'string' },
    gathered: { type: 'boolean', default: false },
  },
});

process.stdout.write(`${await describeMachine()}\n`);
if (options.storm !== undefined) {
  const { measureStorm } = await import('./nodes/storm.ts');
  await measureStorm({ count: Number(options.storm), isGathered: options.gathered });
} else {
  const { measureHop } = await import('./nodes/hop.ts');
  await measureHop({ rounds: Number(options.rounds), bytes: Number(options.megabytes) * 1e6 });
}
process.exit(0);
