// A process of its own that holds every byte back for a while, both ways: a long line without a limit of its own. With a
// share of lost segments, what is lost comes a round trip later, and all behind it waits, as a receiver sees it.
//   delay-proxy.ts <target port> <milliseconds each way> <port> <share of lost segments>
import { FaultProxy } from '@pult/testkit';

const [target = 0, delayMs = 0, port = 0, lossShare = 0] = process.argv.slice(2).map(Number);
const proxy = await FaultProxy.start({ port, target: { host: '127.0.0.1', port: target } });
Object.assign(proxy, { delayMs, lossShare, retransmissionMs: 2 * delayMs });
process.stdout.write(`listening on ${proxy.port}\n`);
