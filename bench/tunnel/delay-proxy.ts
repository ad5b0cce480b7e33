// A process of its own that holds every byte back for a while, both ways: a long line without a limit of its own.
//   delay-proxy.ts <target port> <milliseconds each way> <port>
import { FaultProxy } from '@pult/testkit';

const [target, delayMs, port] = process.argv.slice(2).map(Number);
const proxy = await FaultProxy.start({ port: port ?? 0, target: { host: '127.0.0.1', port: target ?? 0 } });
proxy.delayMs = delayMs ?? 0;
process.stdout.write(`listening on ${proxy.port}\n`);
