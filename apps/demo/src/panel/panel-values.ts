export interface Switches {
  pump: boolean;
  fan: boolean;
  light: boolean;
}

/** The switches of each controller, by serial number: its web page turns them, and all its values follow. */
export type SwitchBoard = ReturnType<typeof createSwitchBoard>;

export function createSwitchBoard() {
  const all = new Map<string, Switches>();
  return {
    of(serialNumber: string): Switches {
      const found = all.get(serialNumber) ?? { pump: true, fan: false, light: true };
      all.set(serialNumber, found);
      return found;
    },
  };
}

const minute = 60_000;
const hour = 60 * minute;

/** Measured values of a moment, that follow the switches a little: days and nights, weather, and people who come and go. */
export function measure(switches: Switches, now: number): Record<string, string> {
  const wave = (period: number, size: number) => size * Math.sin((2 * Math.PI * now) / period);
  const noise = (size: number) => size * (Math.random() - 0.5);
  // Coldest before the morning, warmest after noon.
  const outside = 2 - wave(24 * hour, 3.5) + wave(83 * hour, 4) + wave(211 * hour, 3);
  const isNight = switches.light ? 0 : 1;
  const supply = (switches.pump ? 64 - 0.9 * outside - 5 * isNight : 38) + wave(7 * minute, 0.8) + noise(0.4);
  const load = (switches.pump ? 1.6 : 0.4) + (switches.light ? 0.9 : 0) + (switches.fan ? 0.5 : 0);
  return {
    supply: supply.toFixed(1),
    return: (supply - (switches.pump ? 16 : 9) + noise(0.4)).toFixed(1),
    pressure: ((switches.pump ? 2.4 : 1.9) + wave(19 * hour, 0.06) + noise(0.03)).toFixed(2),
    inside: (21.5 + 0.04 * outside - 1.2 * isNight + wave(11 * minute, 0.2) + noise(0.1)).toFixed(1),
    outside: outside.toFixed(1),
    co2: ((switches.fan ? 560 : switches.light ? 760 : 430) + wave(9 * minute, 30) + noise(8)).toFixed(0),
    mains: (229 - 2 * (1 - isNight) + wave(5 * hour, 2) + noise(2)).toFixed(0),
    load: (load + noise(0.1)).toFixed(2),
    // A meter never goes back: what is used each hour, less by night and more by day.
    energy: (((now - meterStart) / hour) * 2.1 - wave(24 * hour, 4)).toFixed(2),
  };
}

/** When the meter was put in. */
const meterStart = Date.parse('2025-03-01T00:00:00Z');

/** How the switches stood before somebody could turn them here, in the time of the machine: by day there are people. */
export function imagineSwitches(at: number): Switches {
  const local = new Date(at);
  const [day, clock] = [local.getDay(), local.getHours() + local.getMinutes() / 60];
  const isWork = day >= 1 && day <= 5 && clock >= 7.5 && clock < 18.5;
  // Air for ten minutes in each half hour of work; the pump rests for a check once in nine days.
  const isAired = isWork && local.getMinutes() % 30 < 10;
  const isChecked = Math.floor(at / (24 * hour)) % 9 === 4 && clock >= 10 && clock < 10.75;
  return { pump: !isChecked, fan: isAired, light: isWork };
}

/** Takes what the page has sent; anything else changes nothing. */
export function applySwitches(switches: Switches, message: string): void {
  let sent: unknown;
  try {
    sent = JSON.parse(message);
  } catch {
    return;
  }
  for (const [name, value] of Object.entries(typeof sent === 'object' && sent ? sent : {})) {
    if ((name === 'pump' || name === 'fan' || name === 'light') && typeof value === 'boolean')
      switches[name] = value;
  }
}
