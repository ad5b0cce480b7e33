/**
 * `npm run bench tunnel [-- --rounds N --megabytes N --parts stream,stalled,requests,latency,opening,line]`: what the tunnel carries,
 * against `ssh -R` and bare pipes, on this machine and in one run. Targets are those of docs; a missed one is marked, and nothing fails.
 */
import { connect } from 'node:net';
import { parseArgs } from 'node:util';
import { type Door, measureDownload } from './tunnel/download.ts';
import { formatTable, median, percentile, print, verdict } from './tunnel/figures.ts';
import { measureRate, measureRequests } from './tunnel/latency.ts';
import { describeMachine, readThreadTimes } from './tunnel/machine.ts';
import { startTunnelSite, type TunnelSite } from './tunnel/site.ts';

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    megabytes: { type: 'string', default: '256' },
    parts: { type: 'string', default: 'stream,stalled,requests,latency,opening,line' },
  },
});
const parts = options.parts.split(',');
const rounds = Number(options.rounds);
const megabytes = Number(options.megabytes);

const otherTunnels = 90;
const requestsEach = 400;
const connections = 16;

const megabytesPerSecond = (bytesPerSecond: number) => (bytesPerSecond / 1e6).toFixed(0);

/** Bytes a second of every door, measured in turn so that a slow moment of the machine hits all alike. */
async function compareDoors(doors: Readonly<Record<string, Door>>, bytes: number) {
  const results: Record<string, number[]> = {};
  // A process that has just started compiles its code while it carries the first bytes.
  for (const door of Object.values(doors)) await measureDownload(door, bytes);
  for (let round = 0; round < rounds; round++) {
    for (const [name, door] of Object.entries(doors)) {
      const speeds = results[name] ?? [];
      results[name] = speeds;
      speeds.push(await measureDownload(door, bytes));
    }
  }
  return results;
}

/** Prints each door's median and range, and the tunnel's ratio to it with the target where there is one. */
function printSpeeds(results: Readonly<Record<string, number[]>>, targets: Readonly<Record<string, number>>) {
  const rows = Object.entries(results).map(([name, speeds]) => {
    // Round by round: the machine's own speed drifts from one to the next.
    const ratio = median(speeds.map((speed, round) => (results.tunnel?.[round] ?? 0) / speed));
    const target = targets[name];
    return [
      name,
      `${megabytesPerSecond(median(speeds))} MB/s`,
      `${megabytesPerSecond(Math.min(...speeds))}–${megabytesPerSecond(Math.max(...speeds))}`,
      name === 'tunnel' ? '' : `${ratio.toFixed(2)} ×`,
      target === undefined ? '' : `≥ ${target} × ${verdict(ratio >= target)}`,
    ];
  });
  print(formatTable([['', 'median', 'range', 'tunnel / this', 'target'], ...rows]));
}

async function benchThroughput(site: TunnelSite): Promise<void> {
  print(`\nThroughput, one stream, ${megabytes} MB, ${rounds} rounds`);
  const { tunnel, sshReverse, relay, twoRelays, twoNodeProxies, direct } = site;
  const doors = {
    tunnel,
    'ssh -R': sshReverse,
    'one pipe': relay,
    'two pipes': twoRelays,
    'two Node.js proxies': twoNodeProxies,
    direct,
  };
  printSpeeds(await compareDoors(doors, megabytes * 1e6), { 'ssh -R': 1.5, 'two pipes': 0.9 });
}

/** A client that asks for a large download and reads nothing of it, until it is let go. */
async function stall(door: Door): Promise<() => void> {
  const socket = connect(door.port, '127.0.0.1');
  socket.on('error', () => {});
  const head = Object.entries(door.headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`GET /${10e9} HTTP/1.1\r\n${head.join('')}\r\n`);
  await new Promise((resolve) => socket.once('readable', resolve));
  return () => socket.destroy();
}

async function benchStalled(site: TunnelSite): Promise<void> {
  print('\nThe same beside one stalled stream of the same link');
  const release = await Promise.all([stall(site.tunnel), stall(site.sshReverse)]);
  const doors = { tunnel: site.tunnel, 'ssh -R': site.sshReverse };
  printSpeeds(await compareDoors(doors, megabytes * 1e6), { 'ssh -R': 1.5 });
  for (const end of release) end();
}

async function benchLine(roundTripMs: number, lossShare: number): Promise<void> {
  await using site = await startTunnelSite({ delayMs: roundTripMs / 2, lossShare });
  const loss = lossShare > 0 ? ` and ${lossShare * 100} % of the segments a round trip late` : '';
  print(`\nThroughput with a round trip of ${roundTripMs} ms between device and server${loss}, 100 MB`);
  const doors = { tunnel: site.tunnel, 'ssh -R': site.sshReverse };
  printSpeeds(await compareDoors(doors, 100e6), { 'ssh -R': 1.5 });
}

async function benchLatency(site: TunnelSite): Promise<void> {
  const doors = { direct: site.direct, 'ssh -R': site.sshReverse, tunnel: site.tunnel };
  const measure = async () => {
    const times: Record<string, number[]> = {};
    for (let round = 0; round < rounds; round++) {
      for (const [name, door] of Object.entries(doors)) {
        times[name] = [...(times[name] ?? []), ...(await measureRequests(door, requestsEach))];
      }
    }
    return times;
  };
  const milliseconds = (value: number) => `${value.toFixed(2)} ms`;
  const report = (times: Record<string, number[]>) => {
    const at = (name: string, share: number) => percentile(times[name] ?? [], share);
    const rows = Object.keys(times).map((name) => [
      name,
      milliseconds(at(name, 0.5)),
      milliseconds(at(name, 0.99)),
    ]);
    const added = [0.5, 0.99].map((share) => at('tunnel', share) - at('direct', share));
    const targets = [1, 5];
    const verdicts = added.map((value, index) => {
      const target = targets[index] ?? 0;
      return `${milliseconds(value)} (≤ ${target} ms ${verdict(value <= target)})`;
    });
    print(formatTable([['', 'p50', 'p99'], ...rows, ['added by the tunnel', ...verdicts]]));
  };
  print(`\nLatency of a small kept-alive request, ${requestsEach * rounds} requests each`);
  report(await measure());

  // A user may have 100 tunnels at once; one more would end the measured one.
  for (let number = 0; number < otherTunnels; number++) await site.openTunnel();
  print(`\nThe same with ${otherTunnels} more tunnels open`);
  report(await measure());
}

async function benchRate(site: TunnelSite): Promise<void> {
  const doors = {
    tunnel: site.tunnel,
    nginx: site.nginx,
    'plain Node.js proxy': site.nodeProxy,
    'two of them in a row': site.twoNodeProxies,
    direct: site.direct,
  };
  const rates: Record<string, number[]> = {};
  for (const door of Object.values(doors)) await measureRate(door, connections, 2_000); // compiles the code
  for (let round = 0; round < rounds; round++) {
    for (const [name, door] of Object.entries(doors)) {
      rates[name] = [...(rates[name] ?? []), await measureRate(door, connections, 3_000)];
    }
  }
  print(`\nSmall kept-alive requests a second, ${connections} connections`);
  const tunnel = median(rates.tunnel ?? []);
  const rows = Object.entries(rates).map(([name, values]) => {
    const ratio = tunnel / median(values);
    const ratioCells =
      name === 'tunnel'
        ? []
        : [`${ratio.toFixed(2)} ×`, name === 'nginx' ? `≥ 0.6 × ${verdict(ratio >= 0.6)}` : ''];
    return [name, median(values).toFixed(0), ...ratioCells];
  });
  print(formatTable([['', 'a second', 'tunnel / this', 'target'], ...rows]));

  // Where the time goes: what one request through the tunnel costs each of its two processes.
  const { server, agent } = site.processes;
  const read = () => Promise.all([readThreadTimes(server.pid), readThreadTimes(agent.pid)]);
  const before = await read();
  const seconds = 3;
  const requests = (await measureRate(site.tunnel, connections, seconds * 1000)) * seconds;
  const after = await read();
  const costs = after.map(({ main }, index) => (main - (before[index]?.main ?? 0)) / requests);
  print(
    `  computed for each by the main thread of the server ${costs[0]?.toFixed(3)} ms, of the agent ${costs[1]?.toFixed(3)} ms`,
  );
}

async function benchOpening(site: TunnelSite): Promise<void> {
  const times: number[] = [];
  for (let number = 0; number < 50; number++) {
    const started = performance.now();
    await site.openTunnel();
    times.push(performance.now() - started);
  }
  const p50 = median(times);
  print('\nOpening a tunnel, from the API call over ticket and cookie to the whole first page');
  print(
    `  p50 ${p50.toFixed(1)} ms (≤ 15 ms ${verdict(p50 <= 15)}), p99 ${percentile(times, 0.99).toFixed(1)} ms`,
  );
}

const siteParts: Readonly<Record<string, (site: TunnelSite) => Promise<void>>> = {
  stream: benchThroughput,
  stalled: benchStalled,
  requests: benchRate,
  latency: benchLatency,
  opening: benchOpening,
};

print(await describeMachine());
if (parts.some((part) => part in siteParts)) {
  await using site = await startTunnelSite();
  for (const [name, bench] of Object.entries(siteParts)) if (parts.includes(name)) await bench(site);
}
if (parts.includes('line')) {
  for (const lossShare of [0, 0.005])
    for (const roundTripMs of [50, 100]) await benchLine(roundTripMs, lossShare);
}
