// One line with all that is measured over it, in namespaces of its own.
//   run-line.ts <name of the line> <options as JSON>
import { formatTable, print } from '../tunnel/figures.ts';
import { lines } from './lines.ts';
import { measureFault, measureIdle, measureLoad, measureMix, waitForQuiet } from './measure.ts';
import { startLineEmulator } from './namespaces.ts';
import type { LineOptions } from './options.ts';
import { countPageBytes, measurePage, type PageTimes, pageNames } from './page.ts';
import { startPult } from './pult.ts';
import {
  faultHead,
  formatFault,
  formatIdle,
  formatLoad,
  formatMix,
  formatPage,
  formatStart,
  loadHead,
  mixHead,
  pageHead,
} from './report.ts';
import { type LineSite, type Peer, startDirect, startLineSite } from './site.ts';

/** On a terminal what is being measured shows at once, the figures when all of a line are there. */
const tell = (text: string) => void process.stderr.write(`  ${name}: ${text}\n`);
const [, , name = '', given = '{}'] = process.argv;
const known = lines[name];
if (!known) throw new Error(`there is no line "${name}"`);
const line = known;
// Written by the bench itself.
const options = JSON.parse(given) as LineOptions;
const has = (part: LineOptions['parts'][number]) => options.parts.includes(part);
// The first process of a namespace hears no signal that it does not ask for. It ends with the bench, and all with it.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));
process.stdin.on('close', () => process.exit(1)).resume();

const rows: string[][] = [];
const pages = { text: [] as string[][], pictures: [] as string[][] };
const pageTitles = { text: 'of text', pictures: 'of text and pictures' };
const directPages: Partial<Record<keyof typeof pages, PageTimes>> = {};
const faults: string[][] = [];
const mixes: string[][] = [];
const more: string[] = [];

async function measurePeer(site: LineSite, peer: Peer): Promise<void> {
  if (has('load') && !line.rebinds) {
    try {
      rows.push(formatLoad(peer.name, await measureLoad(site, peer, options.seconds)));
    } catch (error) {
      rows.push([peer.name, error instanceof Error ? error.message.slice(0, 60) : 'failed']);
    }
  }
  if (has('mix') && !line.rebinds)
    mixes.push(formatMix(peer.name, await measureMix(site, peer, options.seconds)));
  for (const page of has('page') ? pageNames : []) {
    const times = await measurePage(page, await peer.web(), () => waitForQuiet(site));
    if (peer.name === 'direct') directPages[page] = times;
    pages[page].push(formatPage(peer.name, times, directPages[page]));
  }
  if (has('cut'))
    faults.push(
      formatFault(peer.name, await measureFault(site, peer, line.rebinds ? 'rebind' : options.cut)),
    );
}

{
  tell('the line');
  await using site = await startLineSite(await startLineEmulator(line));
  if (options.peers.includes('direct')) {
    tell('direct');
    await measurePeer(site, await startDirect(site));
  }
  if (options.peers.includes('Pult')) {
    tell('Pult');
    await using pult = await startPult(site, options.tls);
    await measurePeer(site, pult);
    if (has('start')) {
      const starts = [await pult.restartAgent(), await pult.restartAgent(), await pult.restartAgent()];
      more.push(...formatStart(line.roundTripMs, pult.firstStart, starts, await pult.reconnect()));
    }
    if (has('idle')) {
      const how = options.tls ? 'in TLS' : 'without TLS';
      more.push(formatIdle(`with its measurements, ${how}`, await measureIdle(site, options.idle)));
      await pult.release();
      more.push(formatIdle(`of nobody, ${how}`, await measureIdle(site, options.idle)));
    }
  }
}
print(`\n${line.title}`);
if (rows.length > 0) print(formatTable([loadHead, ...rows]));
for (const page of has('page') ? pageNames : []) {
  print(
    `\n  A whole page ${pageTitles[page]}, ${countPageBytes(page) / 1000} kB, by browsers that have nothing of it`,
  );
  print(formatTable([pageHead, ...pages[page]]));
}
if (mixes.length > 0) {
  print('\n  Beside three downloads and an upload at once, whose rates are in that order');
  print(formatTable([mixHead, ...mixes]));
}
if (faults.length > 0) {
  print(`\n  What goes on after ${line.rebinds ? 'another address' : `a cut of ${options.cut} s`}`);
  print(formatTable([faultHead, ...faults]));
}
for (const text of more) print(`  ${text}`);
process.exit(0);
