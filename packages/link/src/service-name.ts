/** What a CONNECT on the link may name: the web interface, sshd, or another TCP port of the device. */
export type ServiceName = 'http' | 'ssh' | `port-${number}`;

const portPattern = /^port-([1-9][0-9]{0,4})$/;

export function isServiceName(name: string): name is ServiceName {
  return name === 'http' || name === 'ssh' || getServicePort(name) !== null;
}

/** The port of a `port-<n>` name, or null. */
export function getServicePort(name: string): number | null {
  const port = Number(portPattern.exec(name)?.[1]);
  return port >= 1 && port <= 65535 ? port : null;
}
