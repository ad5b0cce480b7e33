/**
 * Everything of the demo that stands on a device's side, but for the agents: `devices.ts <server> <data folder> <size>
 * <serial numbers of the agents>…`. Prints the ports of its web pages and of SSH servers and MQTT brokers, one of each an agent, then links
 * the simulated fleet and keeps it moving until SIGTERM.
 */

import { createFleet } from './fleet.ts';
import { readFleetSecret } from './fleet-secret.ts';
import { startFlips } from './flips.ts';
import { startDemoBroker } from './mqtt/demo-broker.ts';
import { startPanelServer } from './panel/panel-server.ts';
import { createSwitchBoard } from './panel/panel-values.ts';
import { startToySshServer, type ToySshServer } from './shell/toy-ssh-server.ts';
import { createSimulatedLinks } from './simulated-links.ts';

const say = (line: string) => process.stdout.write(`${line}\n`);

const [serverUrl = '', dataDir = '', size = '', ...serialNumbers] = process.argv.slice(2);
const fleet = createFleet(await readFleetSecret(dataDir), Number(size));
const switchBoard = createSwitchBoard();
const panel = await startPanelServer(
  new Map(fleet.map((each) => [each.serialNumber, each.description])),
  switchBoard,
);
const ssh: ToySshServer[] = [];
// One after another: the first makes the host key that all of them have.
for (const serialNumber of serialNumbers) {
  ssh.push(await startToySshServer({ dataDir, name: serialNumber.toLowerCase() }));
}
const brokers = await Promise.all(
  serialNumbers.map((serialNumber) => startDemoBroker(switchBoard.of(serialNumber))),
);
say(`mqtt: ${brokers.map(({ port }) => `mqtt://127.0.0.1:${port}`).join(' ')}`);
say(`web: 127.0.0.1:${panel.port}`);
say(`ssh: ${ssh.map(({ port }) => `127.0.0.1:${port}`).join(' ')}`);

const links = createSimulatedLinks({ serverUrl, webPort: panel.port });
const online = fleet.filter(({ state }) => state === 'online');

let stopFlips = () => {};
/** Said when the fleet is there; what does not come at once comes later. */
const watch = setInterval(() => {
  if (links.countLinks() < online.length) return;
  clearInterval(watch);
  say(`linked: ${links.countLinks()}`);
  stopFlips = startFlips(fleet, links);
}, 200);

// Nobody is linked before the fleet is in the database: the one who started this says when.
process.on('message', (message) => {
  if (message === 'link') for (const controller of online) links.switchOn(controller);
});

const stop = async () => {
  clearInterval(watch);
  stopFlips();
  await Promise.all([links.stop(), panel.stop(), ...[...ssh, ...brokers].map((each) => each.stop())]);
  process.exit(0);
};
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop());
