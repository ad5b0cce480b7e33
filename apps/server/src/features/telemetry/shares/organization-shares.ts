import type { Core } from '../../../platform/core.ts';
import type { MetricsStore } from '../metrics/metrics-store.ts';

/**
 * Its measurements may take so many times the room that is left on the disk: four fifths of the two together, so that none takes the last of
 * it from others. They are kept again once there is a little more room.
 */
const heldAt = 4;
const keptAgainAt = 3;

export interface HeldOrganization {
  organizationId: string;
  /** Of its measurements. */
  bytes: number;
  availableBytes: number;
}

/** What share of the disk the measurements of each organization take. */
export interface OrganizationShares {
  /** Whether no more of its measurements are kept. */
  isHeld(organizationId: string): boolean;
  /** How many organizations that is. */
  readonly held: number;
  /** Run by a job. */
  look(): Promise<void>;
}

export function createOrganizationShares(
  { log }: Pick<Core, 'log'>,
  dependencies: {
    measureSpace: MetricsStore['measureSpace'];
    /** Undefined where the disk is not ours to see. */
    getAvailableBytes: () => number | undefined;
    /** Tells people of one that has its share, once. */
    tell: (organization: HeldOrganization) => Promise<void>;
  },
): OrganizationShares {
  const { measureSpace, getAvailableBytes, tell } = dependencies;
  const held = new Set<string>();

  async function hold(organization: HeldOrganization): Promise<void> {
    held.add(organization.organizationId);
    log.warn(organization, 'an organization has its share of the disk: its measurements are not kept');
    await tell(organization).catch((error: Error) => log.error({ err: error }, 'nobody told of the share'));
  }

  return {
    isHeld: (organizationId) => held.has(organizationId),
    get held() {
      return held.size;
    },
    async look() {
      const availableBytes = getAvailableBytes();
      const sizes = availableBytes === undefined ? undefined : await measureSpace();
      // Alone it takes room from nobody: the disk guard sees to the last of it.
      const isShared = sizes !== undefined && sizes.size > 1;
      for (const organizationId of [...held]) {
        const bytes = isShared ? (sizes.get(organizationId) ?? 0) : 0;
        if (bytes > keptAgainAt * (availableBytes ?? 0)) continue;
        held.delete(organizationId);
        log.info({ organizationId, bytes, availableBytes }, 'measurements of an organization are kept again');
      }
      if (!isShared || availableBytes === undefined) return;
      for (const [organizationId, bytes] of sizes) {
        if (held.has(organizationId) || bytes <= heldAt * availableBytes) continue;
        await hold({ organizationId, bytes, availableBytes });
      }
    },
  };
}
