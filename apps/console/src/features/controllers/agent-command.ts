/** How the agent is started on a device that is to report to this server. */
export function agentCommand(origin = window.location.origin): string {
  return `node pult-agent.mjs run --server ${origin}`;
}
