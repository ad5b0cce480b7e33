import { existsSync } from 'node:fs';
import { type CommandResult, type RunCommandOptions, runCommand } from './run-command.ts';

/** Prometheus' own judge of metrics and rules, where Debian puts it; undefined where it is not installed. */
export function findPromtool(): string | undefined {
  return ['/usr/bin/promtool', '/usr/local/bin/promtool'].find(existsSync);
}

export async function runPromtool(
  args: readonly string[],
  options?: RunCommandOptions,
): Promise<CommandResult> {
  const promtool = findPromtool();
  if (!promtool) throw new Error('promtool is missing: install it (apt-get install prometheus)');
  return runCommand(promtool, args, options);
}
