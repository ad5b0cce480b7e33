/**
 * `npm run bench telemetry-bytes [-- --seconds N --controls N]`: what the values of a controller cost on its line in a month,
 * while nobody looks and while somebody does, beside plain MQTT with the same values: a subscriber of the same broker. All
 * bytes of both connections count, both ways: frames, acknowledgements of ours, keepalive, measurements of the system.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { freePort, startAgentProcess, startMqttBroker } from '@pult/testkit';
import { startBenchSite } from './site.ts';
import { startByteCounter } from './telemetry/byte-counter.ts';
import { connectPlainMqtt, type PlainMqtt } from './telemetry/plain-mqtt.ts';
import { formatTable, print, verdict } from './tunnel/figures.ts';
import { describeMachine } from './tunnel/machine.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '120' },
    controls: { type: 'string', default: '50' },
  },
});
const [seconds, controls] = [values.seconds, values.controls].map(Number) as [number, number];

const changeMs = 5_000;
const month = 30 * 24 * 3600;
/** Of IPv4 and TCP with time stamps, for each piece and for its acknowledgement. */
const headerBytes = 52 * 2;

/** Drivers that ask one meter after another: each value walks a little, and is written as short as it can be. */
function startDrivers(client: PlainMqtt): Disposable {
  const levels = Array.from({ length: controls }, (_, index) => 5 + ((index * 37) % 230));
  const started = performance.now();
  let published = 0;
  const publish = () => {
    // As many as are due, however busy the machine is.
    for (; published < ((performance.now() - started) * controls) / changeMs; published += 1) {
      const place = published % controls;
      const level = (levels[place] ?? 0) + (Math.random() - 0.5) * 0.6;
      levels[place] = level;
      const topic = `/devices/wb-map12e_${20 + Math.floor(place / 10)}/controls/Irms L${(place % 10) + 1}`;
      client.publish(topic, String(Number(level.toFixed(2))));
    }
  };
  const publishing = setInterval(publish, 50);
  return { [Symbol.dispose]: () => clearInterval(publishing) };
}

interface Count {
  readonly bytes: number;
  readonly pieces: number;
}

/** Bytes of a month at the pace of these seconds, each as it is and with the headers of its segments. */
async function measure(connections: readonly Count[]): Promise<{ bytes: number; withHeaders: number }[]> {
  const before = connections.map(({ bytes, pieces }) => ({ bytes, pieces }));
  await delay(seconds * 1000);
  return connections.map((connection, index) => {
    const bytes = connection.bytes - (before[index]?.bytes ?? 0);
    const pieces = connection.pieces - (before[index]?.pieces ?? 0);
    const inMonth = (count: number) => (count * month) / seconds;
    return { bytes: inMonth(bytes), withHeaders: inMonth(bytes + pieces * headerBytes) };
  });
}

print(await describeMachine());
await using broker = await startMqttBroker();
const port = await freePort();
const serverUrl = `http://127.0.0.1:${port}`;
await using site = await startBenchSite({ env: { AGENT_URLS: serverUrl } });
const api = await site.logIn();
await using link = await startByteCounter(port, site.server.port);
const serialNumber = 'BYTES';
await using agent = await startAgentProcess({ serverUrl, serialNumber, mqtt: broker.url });
const { token } = await agent.waitForActivation();
await api.call('activateController', { body: { token, organization: site.organizationId } });
await agent.process.waitForLine(/mqtt: connected/);
using publisher = await connectPlainMqtt(broker.port, 'drivers');
using subscriber = await connectPlainMqtt(broker.port, 'plain');
subscriber.subscribe();
using _drivers = startDrivers(publisher);
// All names told, on both sides.
await delay(30_000);

const [quiet, plain] = await measure([link, subscriber]);
const look = () => void api.call('getLastMqttData', { params: { serialNumber } }).catch(() => {});
look();
const looking = setInterval(look, 60_000);
await delay(3_000);
const [live] = await measure([link]);
clearInterval(looking);

const megabytes = (count = 0) => `${(count / 1e6).toFixed(1)} MB`;
const ratio = (quiet?.bytes ?? 0) / (plain?.bytes ?? 1);
const isSmall = (quiet?.bytes ?? 0) <= 120e6;
print(
  `\n${controls} controls that change every ${changeMs / 1000} s, ${seconds} s each, as a month of 30 days`,
);
print(
  formatTable([
    ['', 'bytes of the connection', 'with headers of TCP and IP', 'target'],
    [
      'while nobody looks',
      megabytes(quiet?.bytes),
      megabytes(quiet?.withHeaders),
      `≤ 120 MB ${verdict(isSmall)}`,
    ],
    ['while somebody looks', megabytes(live?.bytes), megabytes(live?.withHeaders), ''],
    ['plain MQTT, the same values', megabytes(plain?.bytes), megabytes(plain?.withHeaders), ''],
    ['nobody looks : plain MQTT', ratio.toFixed(3), '', `≤ 0.1 ${verdict(ratio <= 0.1)}`],
  ]),
);
