import { createHash, createPrivateKey, type KeyObject } from 'node:crypto';
import { getPublicKey } from '@pult/link';
import { type Place, places, words } from './places.ts';

/** A simulated controller: what the database is told of it, and the key by which it proves to be itself. */
export interface SimulatedController {
  serialNumber: string;
  description: string;
  model: string;
  firmwareVersion: string;
  /** Names of its groups from the root; empty for one without a group. */
  groupPath: readonly string[];
  coordinates: { latitude: number; longitude: number } | undefined;
  /** What it is at first; `never` has not been switched on yet. */
  state: 'online' | 'offline' | 'never';
  /** How long before now, in minutes. */
  activatedAgo: number;
  lastSeenAgo: number;
  privateKey: KeyObject;
  publicKey: Buffer;
}

/** Of those at the end there are fewer. */
const firmware = ['wb-2507', 'wb-2507', 'wb-2507', 'wb-2504', 'wb-2504', 'wb-2501', 'wb-2410', 'wb-2404'];
const models = ['Wiren Board 8 (simulated)', 'Wiren Board 8 (simulated)', 'Wiren Board 7 (simulated)'];
/** Groups of what they do, where a place has many. */
const crowded = 40;

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Numbers that look like chance and are the same at every start. */
function createDice(secret: Buffer, name: string) {
  let count = 0;
  const next = () => {
    count += 1;
    return createHash('sha256').update(secret).update(`${name}:${count}`).digest();
  };
  const number = () => next().readUInt32BE() / 2 ** 32;
  return {
    bytes: next,
    number,
    pick: <T>(values: readonly T[]): T => {
      const value = values[Math.floor(number() * values.length)];
      if (value === undefined) throw new RangeError('nothing to choose from');
      return value;
    },
  };
}

/** An Ed25519 key of 32 chosen bytes: the fleet's keys need no file of their own. */
function createKey(seed: Buffer): KeyObject {
  const prefix = Buffer.from('302e020100300506032b657004220420', 'hex');
  return createPrivateKey({ key: Buffer.concat([prefix, seed]), format: 'der', type: 'pkcs8' });
}

/** As many controllers for each place as its share asks for. */
function distribute(size: number): Place[] {
  const sum = places.reduce((total, { share }) => total + share, 0);
  let owed = 0;
  const all: Place[] = [];
  for (const place of places) {
    owed += (size * place.share) / sum;
    while (all.length < Math.round(owed)) all.push(place);
  }
  return all;
}

function createController(
  secret: Buffer,
  place: Place,
  index: number,
  isCrowded: boolean,
): SimulatedController {
  const dice = createDice(secret, `controller ${index}`);
  const { sites, streets, describe } = words[place.language];
  const site = dice.pick<string>(sites);
  const chance = dice.number();
  const privateKey = createKey(dice.bytes());
  // Denser towards the middle of the town.
  const distance = 0.12 * dice.number() ** 2 + 0.004;
  const angle = 2 * Math.PI * dice.number();
  const longitudes = Math.cos((place.latitude * Math.PI) / 180);
  const serial = [...dice.bytes().subarray(0, 7)].map((byte) => alphabet[byte % 32]).join('');
  return {
    serialNumber: `S${serial}`,
    description: describe(site, dice.pick<string>(streets), 1 + Math.floor(dice.number() * 90)),
    model: dice.pick(models),
    firmwareVersion: dice.pick(firmware),
    groupPath: dice.number() < 0.03 ? [] : [...place.path, place.name, ...(isCrowded ? [site] : [])],
    coordinates:
      dice.number() < 0.03
        ? undefined
        : {
            latitude: Number((place.latitude + distance * Math.sin(angle)).toFixed(5)),
            longitude: Number((place.longitude + (distance * Math.cos(angle)) / longitudes).toFixed(5)),
          },
    state: chance < 0.03 ? 'never' : chance < 0.13 ? 'offline' : 'online',
    activatedAgo: Math.floor(60 + 400 * 24 * 60 * dice.number() ** 2),
    lastSeenAgo: Math.floor(5 + 20 * 24 * 60 * dice.number() ** 4),
    privateKey,
    publicKey: getPublicKey(privateKey),
  };
}

/** The same fleet for the same secret, whenever it is asked for. */
export function createFleet(secret: Buffer, size: number): SimulatedController[] {
  const all = distribute(size);
  return all.map((place, index) => {
    const beside = all.filter((other) => other === place).length;
    return createController(secret, place, index, beside >= crowded);
  });
}
