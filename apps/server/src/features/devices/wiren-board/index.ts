import { readFileSync } from 'node:fs';
import { TLSSocket } from 'node:tls';
import { listVerifiedNames, type WirenBoardSettings } from '../../../config/wiren-board-settings.ts';
import type { DeviceKind } from '../device-kind.ts';
import { createAgentCalls } from './agent-api/agent-calls.ts';
import { createAgentHost } from './agent-api/agent-host.ts';
import { createDeviceEventsRepository } from './agent-api/device-events.repository.ts';
import { createDeviceEvents } from './agent-api/device-events.ts';
import { createPollIntervals } from './agent-api/poll-interval.ts';
import { createDeviceAuthority } from './device-authority.ts';
import { createDiagnosticsUploads } from './diagnostics/uploads.ts';
import { factoryAuthority } from './factory-authority.ts';
import { createIdentify } from './identify.ts';
import { createNameCertificates } from './name-certificates.ts';
import type { WirenBoardStanding } from './standing.ts';
import { openBrokerTelemetry } from './telemetry/broker-telemetry.ts';
import type { BrokerTimes } from './telemetry/read-broker.ts';
import { createSemaphore } from './telemetry/semaphore.ts';
import { serveTunnels } from './tunnel/serve-tunnels.ts';
import { formatTunnelConfig } from './tunnel/tunnel-config.ts';
import { createTunnelListener } from './tunnel/tunnel-listener.ts';
import { createTunnelUpgrade } from './tunnel/tunnel-upgrade.ts';

/** Of brokers at which nobody looks: a fleet that comes back at once is read one after the other. */
const READINGS_AT_ONCE = 50;

/** Milliseconds; for tests of what takes long. */
export interface WirenBoardOptions {
  /** Between looks at what stands in the way of them. */
  lookMs?: number;
  /** From a connection to the tunnels' port to the end of its TLS handshake. */
  handshakeMs?: number;
  /** Of the controllers' brokers. */
  broker?: Partial<BrokerTimes>;
}

/** Controllers of Wiren Board as they are sold: the vendor's agent and its frpc, by the factory's certificate. */
export function createWirenBoard(
  settings: WirenBoardSettings,
  standing: WirenBoardStanding,
  { handshakeMs, broker: times, lookMs = 60_000 }: WirenBoardOptions = {},
): DeviceKind {
  return {
    name: 'wiren-board',
    create(
      { db, clock, log, publicUrl },
      {
        enrolments,
        limits,
        hold,
        detach,
        router,
        sentArchives,
        addressOf,
        isTrustedProxy,
        trustedProxies,
        tls,
      },
    ) {
      const pem =
        settings.deviceCa === 'builtin' ? factoryAuthority : readFileSync(settings.deviceCa, 'utf8');
      const hostName = new URL(settings.agentUrl).hostname;
      // Its calls come to any node, whichever one its tunnel leads to.
      const isLinked = async (enrolmentId: string) => (await router.listReached([enrolmentId])).size > 0;
      let listensSince: Date | undefined;
      const events = createDeviceEvents({
        repository: createDeviceEventsRepository(db),
        clock,
        isLinked,
        listensSince: () => listensSince,
        createActivationLink: enrolments.createActivationLink,
        createTunnelConfig: (enrolment) =>
          formatTunnelConfig({
            serialNumber: enrolment.serial_number,
            token: enrolments.createLoginToken(enrolment),
            isSecure: publicUrl.startsWith('https:'),
            settings,
          }),
      });
      const uploads = createDiagnosticsUploads({
        ask: events.askForDiagnostics,
        cancel: events.cancelDiagnostics,
        sentArchives,
      });
      const calls = createAgentCalls({
        enrolments,
        events,
        takeDiagnostics: ({ id }, sent) => uploads.take(id, sent),
        log,
        detach,
      });
      const certificates = createNameCertificates(tls);
      /** Controllers refuse what a certificate does not cover, and nobody there sees why. */
      const checkNames = () => {
        standing.noteCertificates(certificates.covers);
        const missing = listVerifiedNames(settings).filter((name) => !certificates.covers(name));
        // Where nobody has asked for them the standing tells it.
        if (tls && missing.length > 0 && !settings.isAutomatic)
          log.warn({ missing }, 'the certificate does not cover what Wiren Board controllers ask for');
      };
      if (!tls && settings.proxySecret === undefined)
        log.warn(
          'no Wiren Board controller can prove who it is: TLS ends before this server, and WB_PROXY_SECRET is not set; see docs/wiren-board.md',
        );
      const acquire = createSemaphore(READINGS_AT_ONCE);
      const tunnels = serveTunnels({
        enrolments,
        limits,
        hold,
        uploads,
        openBroker: (reader) => openBrokerTelemetry({ ...reader, acquire, times }),
        telemetryEveryMs: settings.telemetrySeconds * 1000,
        clock,
        log,
      });
      const listener = createTunnelListener({
        tunnels,
        tls: tls && {
          ...tls,
          SNICallback: (name, done) => done(null, certificates.contextFor(name)),
        },
        trustedProxies,
        handshakeMs,
        log,
      });
      let timer: NodeJS.Timeout | undefined;
      let isLeaving = false;

      /** Throws where somebody has asked for these controllers; otherwise the port is tried again: who has it may go. */
      async function listen(): Promise<void> {
        try {
          await listener.listen(settings.tunnelHost, settings.tunnelPort);
          listensSince = clock.now();
          standing.notePort(true);
        } catch (error) {
          if (!settings.isAutomatic) throw error;
          standing.notePort(false);
        }
      }

      async function look(): Promise<void> {
        if (!listensSince && !isLeaving) await listen();
        await standing.lookAtNames();
      }

      return {
        asksCertificate: (serverName) => serverName.toLowerCase() === hostName,
        secureContextFor: certificates.contextFor,
        hosts: [
          createAgentHost({
            hostName,
            // A controller that came in without a tunnel would be there and not be reached.
            isOpen: () => standing.getOff()?.reason !== 'port_taken',
            identify: createIdentify({
              authority: createDeviceAuthority(pem, clock),
              isTrustedProxy,
              proxySecret: settings.proxySecret,
              log,
            }),
            calls,
            enrolments,
            limits,
            // A controller that comes by TLS says itself whatever comes with its request: a proxy has passed on its bytes at most.
            addressOf: (request) =>
              request.socket instanceof TLSSocket ? (request.socket.remoteAddress ?? '') : addressOf(request),
            isLinked,
            intervals: createPollIntervals(settings.pollSeconds, () => clock.now().getTime()),
            clock,
            log,
          }),
        ],
        upgrades: [createTunnelUpgrade(tunnels, addressOf)],
        renewTls(renewed) {
          if (!renewed.tls && !renewed.wirenBoardTls) return;
          if (renewed.tls) listener.renewTls(renewed.tls);
          certificates.renew(renewed);
          checkNames();
        },
        async listen() {
          // By now the certificates are loaded that the server has got itself.
          checkNames();
          await listen();
          if (!settings.isAutomatic) return;
          void look();
          timer = setInterval(() => void look(), lookMs);
          timer.unref();
        },
        drain() {
          isLeaving = true;
          clearInterval(timer);
          void listener.close();
        },
        stop: () => listener.cutAll(),
      };
    },
  };
}
