import { resolve } from 'node:path';
import type { WirenBoardObstacle, WirenBoardOff } from '@pult/contract/values';
import { canHaveSubdomains, isOwnMachine } from '../platform/network.ts';
import type { Environment } from './environment.ts';
import { defaultJumpPort, readAddress } from './jump-port.ts';

/** How Wiren Board controllers come in, with nothing of ours installed. */
export interface WirenBoardSettings {
  /** Nobody has asked for them: they are taken where that works, and nothing else goes wrong where it does not. */
  readonly isAutomatic: boolean;
  /** `builtin`, or a file in PEM form. */
  readonly deviceCa: string;
  /** Without it the certificates that a proxy hands on prove nothing. */
  readonly proxySecret?: string;
  /** Where their agents look for news. */
  readonly agentUrl: string;
  /** Where their tunnels are listened for. */
  readonly tunnelHost: string;
  readonly tunnelPort: number;
  /** How they come: `wss` to the server's own port. */
  readonly tunnelProtocol: 'tls' | 'wss';
  /** Where they reach it. */
  readonly tunnelAddress: { readonly host: string; readonly port: number };
  readonly verifiesTunnel: boolean;
  readonly pollSeconds: number;
  readonly telemetrySeconds: number;
}

interface Place {
  publicUrl: string;
  /** The server itself speaks TLS. */
  isSecure: boolean;
  tunnelMode: 'subdomain' | 'ports';
  nodePort: number | undefined;
}

/** The settings, or why there are none. An explicit wish is not doubted here: where it contradicts another, the server does not start. */
export function readWirenBoard(
  env: Environment,
  place: Place,
): { wirenBoard: WirenBoardSettings } | { wirenBoardOff: WirenBoardOff } {
  const { WB_DEVICE_CA: deviceCa, WB_TUNNEL_PORT: tunnelPort, WB_TUNNEL_PROTOCOL: tunnelProtocol } = env;
  const isAutomatic = deviceCa === 'auto';
  const reason = isAutomatic ? findObstacle(env, place) : deviceCa === 'off' ? 'turned_off' : undefined;
  const { origin, protocol, host, hostname, port } = new URL(place.publicUrl);
  if (reason) {
    const names = [reason === 'no_tls' ? origin : hostname];
    return { wirenBoardOff: { reason, names, port: tunnelPort } };
  }
  const dialledPort = tunnelProtocol === 'wss' ? Number(port || 443) : tunnelPort;
  const address = readAddress(env.WB_TUNNEL_ADDRESS) ?? { host: `tunnel.${hostname}` };
  return {
    wirenBoard: {
      isAutomatic,
      deviceCa: isAutomatic || deviceCa === 'builtin' ? 'builtin' : resolve(deviceCa),
      ...(env.WB_PROXY_SECRET === undefined ? {} : { proxySecret: env.WB_PROXY_SECRET }),
      // As the agents make it of the server's address.
      agentUrl: `${protocol}//agent.${host}/api-agent/v1/`,
      tunnelHost: env.HOST,
      tunnelPort,
      tunnelProtocol,
      tunnelAddress: { port: dialledPort, ...address },
      verifiesTunnel: env.WB_TUNNEL_VERIFY === 'on',
      pollSeconds: env.WB_POLL_SECONDS,
      telemetrySeconds: env.WB_TELEMETRY_SECONDS,
    },
  };
}

/** The names at which controllers come. */
export function listWirenBoardNames({ agentUrl, tunnelAddress }: WirenBoardSettings): string[] {
  const names = [new URL(agentUrl).hostname, tunnelAddress.host];
  return [...new Set(names.map((name) => name.toLowerCase()))];
}

/** Those of them for which they want a certificate. */
export function listVerifiedNames({ agentUrl, tunnelAddress, verifiesTunnel }: WirenBoardSettings): string[] {
  const names = [new URL(agentUrl).hostname, ...(verifiesTunnel ? [tunnelAddress.host] : [])];
  return [...new Set(names.map((name) => name.toLowerCase()))];
}

/** What stands in the way, as far as the settings tell. */
function findObstacle(env: Environment, place: Place): WirenBoardObstacle | undefined {
  const { protocol, hostname } = new URL(place.publicUrl);
  // Its agents have no way to send the key: who has asked for one does not want whoever comes without.
  if (env.ENROLLMENT_KEY !== undefined) return 'enrollment_key';
  if (!canHaveSubdomains(hostname) || isOwnMachine(hostname)) return 'no_name';
  if (protocol !== 'https:') return 'no_tls';
  if (!place.isSecure) return 'tls_elsewhere';
  return isTaken(env, place) ? 'port_taken' : undefined;
}

/** Whether another listener of the server wants that port, which by nobody's wish is ours alone. */
function isTaken(
  {
    WB_TUNNEL_PORT: port,
    PORT,
    HTTP_PORT,
    SSH_JUMP_PORT = defaultJumpPort,
    METRICS_PORT,
    TUNNEL_PORTS,
  }: Environment,
  { tunnelMode, nodePort }: Place,
): boolean {
  const isOfTunnels = tunnelMode === 'ports' && TUNNEL_PORTS.from <= port && port <= TUNNEL_PORTS.to;
  return isOfTunnels || [PORT, HTTP_PORT, SSH_JUMP_PORT, METRICS_PORT, nodePort].includes(port);
}

/** What the variables of these controllers say against each other and against others, as sentences. */
export function findWirenBoardContradictions(env: Environment, isSecure: boolean): string[] {
  const problems: string[] = [];
  const say = (isSo: boolean, problem: string) => {
    if (isSo) problems.push(problem);
  };
  const { WB_DEVICE_CA: deviceCa } = env;
  const isExplicit = deviceCa !== 'auto' && deviceCa !== 'off';
  say(
    isExplicit && !canHaveSubdomains(new URL(env.PUBLIC_URL ?? 'http://localhost').hostname),
    'WB_DEVICE_CA is set, so PUBLIC_URL needs a domain name.',
  );
  say(
    isExplicit && [env.PORT, env.SSH_JUMP_PORT].includes(env.WB_TUNNEL_PORT),
    'WB_TUNNEL_PORT is the port of another listener; two cannot share one.',
  );
  say(
    env.WB_PROXY_SECRET !== undefined && env.TRUSTED_PROXIES === undefined,
    'WB_PROXY_SECRET is set, so TRUSTED_PROXIES is needed too.',
  );
  say(
    env.WB_PROXY_SECRET !== undefined && (!isExplicit || deviceCa === 'builtin'),
    'WB_PROXY_SECRET is set, so WB_DEVICE_CA must name a file that holds the issuers too: a proxy hands on no chain.',
  );
  say(
    isExplicit && env.WB_TUNNEL_PROTOCOL === 'wss' && !isSecure,
    'WB_TUNNEL_PROTOCOL is wss, so PUBLIC_URL must start with https://.',
  );
  return problems;
}
