import type { Events } from '../../../platform/events/events.ts';
import type { Logger } from '../../../platform/log.ts';
import type { EndpointsRepository } from '../endpoints/endpoints.repository.ts';
import type { TunnelAccess } from '../tunnels.repository.ts';

/** `old`: what is old of the TLS that the endpoint of an access has just spoken. */
export type NoteTls = (access: TunnelAccess, old: string | undefined) => void;

/** Marks named endpoints whose TLS is old, for those who see the list of them. */
export function createTlsNotes(dependencies: {
  repository: Pick<EndpointsRepository, 'noteTls'>;
  events: Events;
  log: Logger;
}): NoteTls {
  const { repository, events, log } = dependencies;

  async function note(access: TunnelAccess, port: number, old: string | undefined): Promise<void> {
    if (!(await repository.noteTls(access, port, old ?? null))) return;
    const { organizationId, serialNumber } = access;
    if (old !== undefined) log.warn({ serialNumber, port, tls: old }, 'a device speaks old TLS');
    events.publish('organization', { organizationId, event: { type: 'controller.updated', serialNumber } });
  }

  return (access, old) => {
    if (access.port === null) return;
    note(access, access.port, old).catch((error: unknown) => {
      log.error({ err: error, serialNumber: access.serialNumber }, 'the TLS of a device was not noted');
    });
  };
}
