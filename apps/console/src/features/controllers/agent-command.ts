/** How the agent is installed on a device that is to report to this server: as a service, with Node.js 18.19 or newer or the server's own. */
export function agentCommand(origin = window.location.origin, enrolmentKey?: string): string {
  const options = enrolmentKey === undefined ? '' : ` -s -- --enrolment-key ${enrolmentKey}`;
  return `curl -fsSL ${origin}/agent/install.sh | sudo sh${options}`;
}

/** Whether only programs of this machine reach a server at that host: no other device could run the command. */
export function isLoopback(hostname = window.location.hostname): boolean {
  return /^(.*\.)?localhost$|^127\.|^\[::1\]$/.test(hostname);
}
