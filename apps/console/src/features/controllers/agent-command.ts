/** How the agent is installed on a device that is to report to this server: as a service, with Node.js 20.19 or newer. */
export function agentCommand(origin = window.location.origin): string {
  return `curl -fsSL ${origin}/agent/install.sh | sudo sh`;
}
