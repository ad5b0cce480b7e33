import type { Config } from '../../config/settings.ts';
import { getDeviceInfo } from '../../platform/device-info.ts';

/** Lines that are remembered. */
const kept = 500;

/** Prints on, and remembers the last lines: not every agent runs where a journal is. */
export function keepRecentLines(print: (line: string) => void) {
  const lines: string[] = [];
  return {
    print(line: string): void {
      lines.push(`${new Date().toISOString()} ${line}`);
      if (lines.length > kept) lines.shift();
      print(line);
    },
    read: () => lines.join('\n'),
  };
}

/** What the agent has to say of itself. Its configuration without what it alone may know. */
export function describeAgent(
  serialNumber: string,
  { server, http, ssh, allow, mqtt }: Config,
  recentLines: string,
): Record<string, string> {
  const about = {
    ...getDeviceInfo(serialNumber),
    node: process.version,
    upSeconds: Math.round(process.uptime()),
    memory: process.memoryUsage(),
    settings: { server, http, ssh, allow: allow && [...allow], mqtt },
  };
  return {
    'agent/about.json': `${JSON.stringify(about, null, 2)}\n`,
    'agent/recent-lines.txt': `${recentLines}\n`,
  };
}
