import type { WirenBoardOff } from '@pult/contract/values';
import type { Core } from '../../platform/core.ts';
import type { Feature } from '../../platform/feature.ts';
import { createClientAddress, createIsTrustedProxy } from '../../platform/http/client-address.ts';
import type { TlsPair } from '../../platform/http/tls-files.ts';
import type { NameLookups } from '../../platform/leading-names.ts';
import type { SshListener } from '../../platform/ssh/ssh-listener.ts';
import { createChallenges } from './challenges.ts';
import { createClientLimits } from './client-limits.ts';
import { createFindHolder } from './cluster/find-holders.ts';
import type { DeviceNodes } from './cluster/nodes.ts';
import { createRemoteLinks } from './cluster/remote-links.ts';
import { createSentArchives } from './cluster/sent-archives.ts';
import { serveOtherNodes } from './cluster/serve-other-nodes.ts';
import { createDetachDevice } from './detach-device.ts';
import { getPublicKey } from './device-data.ts';
import type { DeviceKindDependencies } from './device-kind.ts';
import { listDeviceKinds } from './device-kinds.ts';
import { createDeviceRouter, type DeviceRouter } from './device-router.ts';
import { createDeviceMetrics } from './devices.metrics.ts';
import { createEnrolmentQuota } from './enrolment-quota.ts';
import { createEnrolmentsRepository } from './enrolments.repository.ts';
import { createEnrolmentsService, type EnrolmentsService } from './enrolments.service.ts';
import { createHoldDevice } from './hold-device.ts';
import type { KeyClaims } from './key-claims.ts';
import { createLocalLinks, type LocalLinks } from './local-links.ts';
import type { NativeLinkOptions } from './native-link/index.ts';
import { createPresenceRepository } from './presence.repository.ts';
import { createPresence } from './presence.ts';
import type { SshKindOptions } from './ssh/index.ts';
import { createUsedChallengesRepository } from './used-challenges.repository.ts';
import type { WirenBoardOptions } from './wiren-board/index.ts';
import { createWirenBoardStanding } from './wiren-board/standing.ts';

/** Milliseconds; each has its own default where it is used. */
export interface DeviceTiming {
  link?: NativeLinkOptions;
  ssh?: SshKindOptions;
  wirenBoard?: WirenBoardOptions;
  startGraceMs?: number;
  touchIntervalMs?: number;
  /** Instead of those of the system and of DNS. */
  nameLookups?: NameLookups | undefined;
}

export interface DevicesFeature extends Feature {
  /** Devices that are linked to this node. */
  links: LocalLinks;
  /** Devices that are reached from it. */
  router: DeviceRouter;
  enrolments: EnrolmentsService;
  /** Why no Wiren Board controllers are taken; undefined while they are. */
  getWirenBoardOff: () => WirenBoardOff | undefined;
}

/** Devices, put together: how they present themselves, their links, and what a link says of their controllers. */
export function createDevicesFeature(
  core: Core,
  dependencies: {
    sshListener: SshListener;
    isKeyOfPerson: (digest: Buffer) => Promise<boolean>;
    getKeyClaims: () => KeyClaims;
    /** The built agent with its unit and script; without it the server hands out none. */
    agentDirectory?: string | undefined;
    /** PEM texts. */
    tls?: TlsPair | undefined;
    timing: DeviceTiming;
    /** Where there are any. */
    nodes: DeviceNodes | undefined;
  },
): DevicesFeature {
  const { db, node, clock, log, config, secrets } = core;
  const { sshListener, isKeyOfPerson, agentDirectory, timing } = dependencies;
  const { agents } = config;
  const { trustedProxies } = config.http;
  const repository = createEnrolmentsRepository(db);
  // A server that is alone remembers them itself.
  const usedChallenges = node.settings && createUsedChallengesRepository(db);
  const challenges = usedChallenges ? createChallenges(clock, node.keys.challenges) : createChallenges(clock);
  const links = createLocalLinks(clock);
  const presenceRepository = createPresenceRepository(db);
  const { nodes } = dependencies;
  if (nodes) serveOtherNodes({ links, nodes, clock, log });
  const remote = nodes && createRemoteLinks(nodes, createFindHolder(nodes, presenceRepository));
  const enrolments = createEnrolmentsService(core, {
    repository,
    quota: createEnrolmentQuota(core, { repository, isOpen: agents.enrollmentKey === undefined }),
    challenges,
    activationKey: secrets.activationKey,
    serverUrls: agents.urls,
    enrollmentKey: agents.enrollmentKey,
    getKeyClaims: dependencies.getKeyClaims,
    takeNonces: usedChallenges?.take,
  });
  const presence = createPresence(core, {
    repository: {
      ...presenceRepository,
      async setStatuses(wanted, holder) {
        // Whoever sees a controller online finds who holds it.
        await nodes?.bus.flush();
        return presenceRepository.setStatuses(wanted, holder);
      },
    },
    links,
    node,
    startGraceMs: timing.startGraceMs,
    touchIntervalMs: timing.touchIntervalMs,
  });
  const hold = createHoldDevice(core, {
    enrolments,
    repository,
    links,
    metricsIntervalSeconds: config.metrics.intervalSeconds,
    updateKey: getPublicKey(secrets.agentUpdateKey).toString('base64url'),
    updateKeyRotations: secrets.agentUpdateRotations,
  });
  const router = createDeviceRouter(links, remote && { ...presenceRepository, ...remote });
  const addressOf = createClientAddress(trustedProxies);
  const isTrustedProxy = createIsTrustedProxy(trustedProxies);
  const limits = createClientLimits(clock, enrolments.admission);
  const toKinds: DeviceKindDependencies = {
    challenges,
    enrolments,
    limits,
    hold,
    detach: createDetachDevice(core, { repository }),
    sshListener,
    isKeyOfPerson,
    agents,
    addressOf,
    agentDirectory,
    isTrustedProxy,
    trustedProxies,
    links,
    router,
    sentArchives: createSentArchives(nodes, clock),
    getNodeId: () => nodes?.getSelf().id ?? '0',
    tls: dependencies.tls,
  };
  const standing = createWirenBoardStanding({ config, nameLookups: timing.nameLookups, log });
  const ingresses = listDeviceKinds({ ...timing, standing, agents }).map((kind) =>
    kind.create(core, toKinds),
  );

  // Another node may hold them in a moment: nothing more goes to them from here.
  node.onLost(() => void links.closeAll());

  const asking = ingresses.flatMap(({ asksCertificate }) => asksCertificate ?? []);

  return {
    name: 'devices',
    links,
    router,
    enrolments,
    getWirenBoardOff: standing.getOff,
    metrics: createDeviceMetrics(links, enrolments.admission),
    jobs: [
      { name: 'delete-forgotten-enrolments', schedule: '27 3 * * *', run: enrolments.deleteForgotten },
      ...(usedChallenges
        ? [
            { name: 'forget-used-challenges', schedule: '* * * * *', run: usedChallenges.forgetOld },
            { name: 'mark-lost-controllers', schedule: '* * * * *', run: presence.markUntouched },
          ]
        : []),
    ],
    hosts: ingresses.flatMap(({ hosts }) => hosts ?? []),
    upgrades: ingresses.flatMap(({ upgrades }) => upgrades ?? []),
    ...(asking.length > 0 ? { asksCertificate: (name) => asking.some((asks) => asks(name)) } : {}),
    secureContextFor: (name) =>
      ingresses.reduce(
        (found, { secureContextFor }) => found ?? secureContextFor?.(name),
        undefined as ReturnType<NonNullable<Feature['secureContextFor']>>,
      ),
    renewTls(renewed) {
      for (const ingress of ingresses) ingress.renewTls?.(renewed);
    },
    async routes(http) {
      for (const ingress of ingresses) await ingress.routes?.(http);
    },
    start: presence.start,
    async listen() {
      for (const ingress of ingresses) await ingress.listen?.();
    },
    async drain(graceMs) {
      // Before the first link ends: that the server leaves makes no controller offline.
      const written = presence.stop();
      links.drain(graceMs);
      await Promise.all([written, ...ingresses.map((ingress) => ingress.drain?.(graceMs))]);
    },
    async stop() {
      remote?.stop();
      await links.closeAll();
      await Promise.all(ingresses.map((ingress) => ingress.stop?.()));
    },
  };
}
