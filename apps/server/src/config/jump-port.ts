/** Where nobody asks for another. */
export const defaultJumpPort = 2222;

/** `name[:port]`, as SSH_JUMP_ADDRESS is checked to be. */
export function readAddress(address: string | undefined): { host: string; port?: number } | undefined {
  if (address === undefined) return undefined;
  const [host = '', port] = address.split(':');
  return port === undefined ? { host } : { host, port: Number(port) };
}
