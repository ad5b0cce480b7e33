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

/** Measured values of a moment, that follow the switches a little. */
export function measure(switches: Switches, now: number): Record<string, string> {
  const wave = (minutes: number, size: number) => size * Math.sin((2 * Math.PI * now) / (minutes * 60_000));
  const noise = (size: number) => size * (Math.random() - 0.5);
  const supply = (switches.pump ? 64 : 48) + wave(7, 2) + noise(0.4);
  return {
    supply: supply.toFixed(1),
    return: (supply - (switches.pump ? 16 : 22) + noise(0.4)).toFixed(1),
    pressure: ((switches.pump ? 2.4 : 1.9) + noise(0.05)).toFixed(2),
    inside: (21.5 + wave(11, 0.4) + noise(0.1)).toFixed(1),
    outside: (4 + wave(60, 3)).toFixed(1),
    co2: ((switches.fan ? 520 : 760) + wave(9, 40) + noise(8)).toFixed(0),
    mains: (229 + noise(3)).toFixed(0),
    load: ((switches.pump ? 1.6 : 0.4) + (switches.light ? 0.5 : 0) + noise(0.1)).toFixed(2),
  };
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
