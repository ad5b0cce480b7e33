import type { WirenBoardOff } from '@pult/contract/values';
import type { Config } from '../../../config/config.ts';
import { listVerifiedNames, listWirenBoardNames } from '../../../config/wiren-board-settings.ts';
import { findStrays, type NameLookups } from '../../../platform/leading-names.ts';
import type { Logger } from '../../../platform/log.ts';

export interface WirenBoardStanding {
  /** Why these controllers are not taken; undefined while they are, and where somebody has asked for them by name. */
  getOff(): WirenBoardOff | undefined;
  /** Whether the port of their tunnels is ours. */
  notePort(isOurs: boolean): void;
  /** Asks DNS where their names lead; what was found before stays where it does not answer. */
  lookAtNames(): Promise<void>;
  /** Whether there is a certificate for a name. */
  noteCertificates(isCovered: (name: string) => boolean): void;
}

/** What stands in the way of controllers that nobody has asked for, as long as it does: all of it but the settings may change. */
export function createWirenBoardStanding({
  config: { agents, http },
  nameLookups,
  log,
}: {
  config: Pick<Config, 'agents' | 'http'>;
  nameLookups: NameLookups | undefined;
  log: Logger;
}): WirenBoardStanding {
  const { wirenBoard: settings, wirenBoardOff } = agents;
  const home = new URL(http.publicUrl).hostname;
  let isPortOurs = true;
  let strays: readonly string[] = [];
  let uncovered: readonly string[] = [];
  let told: string | undefined;

  function getOff(): WirenBoardOff | undefined {
    if (!settings) return wirenBoardOff;
    const { tunnelPort: port, isAutomatic, tunnelProtocol } = settings;
    if (!isAutomatic) return undefined;
    if (!isPortOurs && tunnelProtocol === 'tls') return { reason: 'port_taken', names: [], port };
    if (strays.length > 0) return { reason: 'names', names: [...strays], port };
    if (uncovered.length > 0) return { reason: 'certificate', names: [...uncovered], port };
    return undefined;
  }

  /** Once for each change. */
  function tell(): void {
    const off = getOff();
    const now = JSON.stringify(off);
    if (now === told) return;
    told = now;
    // Controllers that came yesterday stay away then; names that are not there yet are nobody's fault.
    if (off?.reason === 'port_taken') log.warn(off, 'Wiren Board controllers are not taken');
    else if (off) log.info(off, 'Wiren Board controllers are not taken');
    else log.info('Wiren Board controllers are taken');
  }

  return {
    getOff,
    notePort(isOurs) {
      isPortOurs = isOurs;
    },
    noteCertificates(isCovered) {
      uncovered = settings ? listVerifiedNames(settings).filter((name) => !isCovered(name)) : [];
    },
    async lookAtNames() {
      if (!settings?.isAutomatic) return;
      try {
        strays = await findStrays(listWirenBoardNames(settings), home, nameLookups);
      } catch (error) {
        log.debug({ err: error }, 'the names of Wiren Board could not be looked up');
      }
      tell();
    },
  };
}
