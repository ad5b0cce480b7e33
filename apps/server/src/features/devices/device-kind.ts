import type { IncomingMessage } from 'node:http';
import type { Config } from '../../config/config.ts';
import type { Core } from '../../platform/core.ts';
import type { Feature } from '../../platform/feature.ts';
import type { ClientAddress } from '../../platform/http/client-address.ts';
import type { TlsPair } from '../../platform/http/tls-files.ts';
import type { SshListener } from '../../platform/ssh/ssh-listener.ts';
import type { Challenges } from './challenges.ts';
import type { ClientLimits } from './client-limits.ts';
import type { SentArchives } from './cluster/sent-archives.ts';
import type { DetachDevice } from './detach-device.ts';
import type { DeviceRouter } from './device-router.ts';
import type { EnrolmentsService } from './enrolments.service.ts';
import type { HoldDevice } from './hold-device.ts';
import type { LocalLinks } from './local-links.ts';

export interface DeviceKindDependencies {
  challenges: Challenges;
  enrolments: EnrolmentsService;
  /** Of one client, for devices of all kinds. */
  limits: ClientLimits;
  /** To be called with each connection whose device was admitted. */
  hold: HoldDevice;
  /** To be called where a device that has proven its key says that it leaves. */
  detach: DetachDevice;
  /** The server's SSH port, to whose users a kind may add its own. */
  sshListener: SshListener;
  /** Whether a person has registered the SSH key of that digest for their account. */
  isKeyOfPerson: (digest: Buffer) => Promise<boolean>;
  agents: Config['agents'];
  addressOf: ClientAddress;
  /** Whether a request comes from a proxy whose words count. */
  isTrustedProxy(request: IncomingMessage): boolean;
  trustedProxies: readonly string[];
  /** The devices that are reached now. */
  links: Pick<LocalLinks, 'renew'>;
  /** Those of other nodes, too. */
  router: Pick<DeviceRouter, 'listReached'>;
  sentArchives: SentArchives;
  /** Names this process among the nodes of the installation. */
  getNodeId: () => string;
  /** The server's own, for listeners of a kind. */
  tls: TlsPair | undefined;
  /** The built agent with its unit and script; without it the server hands out none. */
  agentDirectory: string | undefined;
}

/** One way in which devices come to the server. */
export interface DeviceKind {
  readonly name: string;
  /** What the way needs of the server; it calls `hold` with what comes in by it. */
  create(core: Core, dependencies: DeviceKindDependencies): DeviceIngress;
}

export type DeviceIngress = Pick<
  Feature,
  | 'routes'
  | 'hosts'
  | 'upgrades'
  | 'asksCertificate'
  | 'secureContextFor'
  | 'renewTls'
  | 'listen'
  | 'drain'
  | 'stop'
>;
