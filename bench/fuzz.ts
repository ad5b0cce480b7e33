/**
 * `npm run bench fuzz [-- --minutes N --seed N --only N --lanes N --tls on|off]`: the built server, first with plain
 * connections and then with TLS of its own, beside devices that send it everything but what an honest one would, and a
 * person who uses them. Each attack has a seed, which grows by one from the first, and `--only` makes one of them alone, again and
 * again. The server
 * must live, hold its memory, log nothing unforeseen, and answer the links of others; ends with 1 otherwise.
 */
import { parseArgs } from 'node:util';
import { reportFuzz } from './fuzz/report.ts';
import { fuzzServer } from './fuzz/run.ts';
import { print } from './tunnel/figures.ts';
import { describeMachine } from './tunnel/machine.ts';

const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
    only: { type: 'string' },
    lanes: { type: 'string', default: '8' },
    tls: { type: 'string' },
  },
});

const seed = Number(options.only ?? options.seed);
const servers = [false, true].filter((isSecure) => !options.tls || isSecure === (options.tls === 'on'));
print(await describeMachine());
let haveStood = true;
for (const isSecure of servers) {
  print(`\n${isSecure ? 'TLS' : 'Plain'}, from seed ${seed} on`);
  const result = await fuzzServer({
    isSecure,
    milliseconds: (Number(options.minutes) * 60_000) / servers.length,
    seed,
    isRepeated: options.only !== undefined,
    lanes: Number(options.lanes),
  });
  const { text, hasStood } = reportFuzz(result);
  print(text);
  haveStood &&= hasStood;
}
process.exit(haveStood ? 0 : 1);
