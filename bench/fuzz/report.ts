import { formatTable, percentile, verdict } from '../tunnel/figures.ts';
import type { FuzzResult } from './run.ts';

/** MiB above those of the quiet server: while it is attacked, and half a minute later. */
const growth = { during: 400, after: 150 };
/** Of somebody else's link: p99 to that at the server that nobody attacks. */
const longestRatio = 2;

/** The figures as text, and whether the server has stood. Times of others are no reason that it has not: machines are noisy. */
export function reportFuzz({ seconds, outcomes, wrong, memory, others }: FuzzResult): {
  text: string;
  hasStood: boolean;
} {
  const { before, most, after } = memory;
  const count = [...outcomes.values()].reduce((sum, times) => sum + times, 0);
  const isBounded = most <= before + growth.during && after <= before + growth.after;
  const rows = others.map(({ name, attacked, untouched }) => {
    const ratio = percentile(attacked.times, 0.99) / percentile(untouched.times, 0.99);
    const failed = attacked.failures.length;
    return [
      name,
      ...[attacked, untouched].map((each) => describeTimes(each.times)),
      `${ratio.toFixed(2)} (≤ ${longestRatio} ${verdict(ratio <= longestRatio)})`,
      `${failed} (none ${verdict(failed === 0)})`,
    ];
  });
  const all = [...wrong, ...new Set(others.flatMap(({ attacked }) => attacked.failures))];
  const text = [
    `${count} attacks, ${(count / seconds).toFixed(1)} a second`,
    formatTable([...outcomes].sort(([, a], [, b]) => b - a).map(([what, times]) => [what, String(times)])),
    '',
    `  resident ${before.toFixed(0)} MiB before, ${most.toFixed(0)} at most (≤ ${growth.during} more), ` +
      `${after.toFixed(0)} half a minute later (≤ ${growth.after} more): ${verdict(isBounded)}`,
    formatTable([
      ['others, p50 / p99', 'attacked', 'untouched server', 'p99 : untouched', 'failed'],
      ...rows,
    ]),
    ...all.map((what) => `  WRONG ${what}`),
    all.length === 0 ? '  nothing wrong' : '',
  ];
  return { text: text.join('\n'), hasStood: isBounded && all.length === 0 };
}

const describeTimes = (times: readonly number[]) =>
  `${percentile(times, 0.5).toFixed(1)} / ${percentile(times, 0.99).toFixed(1)} ms`;
