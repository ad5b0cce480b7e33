/**
 * Everything of the demo that stands on a device's side, but for the agents: `devices.ts <server> <data folder> <size>
 * <serial numbers of the agents>…`. Prints the ports of its web pages, SSH server and MQTT brokers, one an agent, then links
 * the simulated fleet and keeps it moving until SIGTERM.
 */

import { createFleet } from './fleet.ts';
import { readFleetSecret } from './fleet-secret.ts';
import { startFlips } from './flips.ts';
import { startDemoBroker } from './mqtt/demo-broker.ts';
import { startPanelServer } from './panel/panel-server.ts';
import { createSwitchBoard } from './panel/panel-values.ts';
import { startToySshServer } from './shell/toy-ssh-server.ts';
import { createSimulatedLinks } from './simulated-links.ts';

const say = (line: string) => process.stdout.write(`${line}\n`);

const [serverUrl = '', dataDir = '', size = '', ...serialNumbers] = process.argv.slice(2);
const fleet = createFleet(await readFleetSecret(dataDir), Number(size));
const switchBoard = createSwitchBoard();
const panel = await startPanelServer(
  new Map(fleet.map((each) => [each.serialNumber, each.description])),
  switchBoard,
);
const ssh = await startToySshServer({ dataDir });
const brokers = await Promise.all(
  serialNumbers.map((serialNumber) => startDemoBroker(switchBoard.of(serialNumber))),
);
say(`mqtt: ${brokers.map(({ port }) => `mqtt://127.0.0.1:${port}`).join(' ')}`);
say(`web: 127.0.0.1:${panel.port}`);
say(`ssh: 127.0.0.1:${ssh.port}`);

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
  await Promise.all([links.stop(), panel.stop(), ssh.stop(), ...brokers.map((broker) => broker.stop())]);
  process.exit(0);
};
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop());
