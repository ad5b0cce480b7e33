import { readFile } from 'node:fs/promises';
import type { AcmeSettings } from '../../config/acme-settings.ts';
import type { Core } from '../../platform/core.ts';
import type { Feature } from '../../platform/feature.ts';
import type { HostHandler, HostSite } from '../../platform/http/host-server.ts';
import { refuseUpgrade } from '../../platform/http/refuse-upgrade.ts';
import type { RenewedTls } from '../../platform/http/tls-files.ts';
import { findStrays, type NameLookups } from '../../platform/leading-names.ts';
import { createAccountKey, orderCertificate } from './acme/order-certificate.ts';
import { readRenewalInfo } from './acme/renewal-info.ts';
import { createCertificateOrderMetrics } from './certificates.metrics.ts';
import { createCertificatesRepository } from './certificates.repository.ts';
import {
  type CertificateName,
  type DesiredCertificate,
  listDesiredCertificates,
} from './desired-certificates.ts';
import { createPlainListener } from './plain-listener.ts';
import { createRenewals } from './renewals.ts';
import { createOwnChallenges, findSolver } from './solvers.ts';

export interface CertificatesTiming {
  /** Between looks at whether a certificate is due. */
  certificateLookMs?: number | undefined;
  /** Instead of those of the system and of DNS. */
  nameLookups?: NameLookups | undefined;
}

const lookMs = 60_000;

const servedAs = {
  server: 'tls',
  tunnels: 'tunnelTls',
  'wiren-board': 'wirenBoardTls',
} as const satisfies Record<CertificateName, keyof RenewedTls>;

/** Certificates that the server gets itself, by ACME (RFC 8555), and the port for those who come without TLS. */
export function createCertificatesFeature(
  core: Core,
  {
    timing,
    renewTls,
  }: {
    timing: CertificatesTiming;
    /** Of the whole server: called once it is put together. */
    renewTls: (renewed: RenewedTls) => void;
  },
): Feature {
  const { db, clock, events, log, config, encryptor } = core;
  const { acme, http } = config;
  const wanted = listDesiredCertificates(config);
  const repository = createCertificatesRepository(db, encryptor);
  const challenges = createOwnChallenges({ events, log });
  const plain = createPlainListener(config, challenges.findAnswer, log);

  const readAuthorities = async ({ caFile }: AcmeSettings) =>
    caFile === undefined ? undefined : readFile(caFile, 'utf8');

  async function order(
    { hosts, challenge }: DesiredCertificate,
    signal: AbortSignal,
    replaced: string | undefined,
  ) {
    if (!acme) throw new Error('an order without ACME');
    const ca = await readAuthorities(acme);
    const accountKey = await repository.getAccountKey(acme.directory, createAccountKey, clock.now());
    return orderCertificate({
      directory: acme.directory,
      email: acme.email,
      externalAccount: acme.externalAccount,
      replaced,
      hosts,
      challenge,
      ports: { http: http.plainPort, https: http.port },
      accountKey,
      ca,
      solver: findSolver(challenge, challenges, { dns: acme.dns, log }),
      signal,
      log,
    });
  }

  /** Names that nobody has asked for are ordered once they lead here: before that each order fails. */
  async function mayOrder({ name, hosts }: DesiredCertificate): Promise<boolean> {
    if (name !== 'wiren-board' || !config.agents.wirenBoard?.isAutomatic) return true;
    const home = new URL(http.publicUrl).hostname;
    try {
      return (await findStrays(hosts, home, timing.nameLookups)).length === 0;
    } catch (error) {
      log.info({ err: error, hosts }, 'names could not be looked up, so no certificate is asked for');
      return false;
    }
  }

  const renewals = createRenewals(core, {
    wanted,
    repository,
    order,
    mayOrder,
    ...(acme
      ? {
          askRenewalInfo: async (chain: string, signal: AbortSignal) =>
            readRenewalInfo({ directory: acme.directory, chain, ca: await readAuthorities(acme), signal }),
        }
      : {}),
    serve: (name, pair) => renewTls({ [servedAs[name]]: pair }),
  });
  let timer: NodeJS.Timeout | undefined;

  /** Also on the port with TLS: what stands before port 80 may send authorities there. */
  const challengeSite: HostSite = {
    request({ url }, response) {
      response.setHeader('content-type', 'application/octet-stream');
      response.end(challenges.findAnswer(url));
    },
    upgrade: (_request, socket) => refuseUpgrade(socket, 404),
  };
  const challengeHost: HostHandler = {
    find: ({ url }) => (challenges.findAnswer(url) === undefined ? undefined : challengeSite),
  };

  return {
    name: 'certificate-orders',
    metrics: createCertificateOrderMetrics({ wanted, repository }),
    ...(acme
      ? {
          hosts: [challengeHost],
          challengeContextFor: (serverName: string) => challenges.findContext(serverName),
        }
      : {}),
    async start() {
      await renewals.load();
    },
    async listen() {
      if (http.plainPort !== undefined) await plain.listen(http.host, http.plainPort);
      if (wanted.length === 0) return;
      void renewals.look();
      timer = setInterval(() => void renewals.look(), timing.certificateLookMs ?? lookMs);
      timer.unref();
    },
    async drain() {
      clearInterval(timer);
      if (http.plainPort !== undefined) plain.close();
      await renewals.stop();
    },
    stop() {
      plain.cutAll();
    },
  };
}
