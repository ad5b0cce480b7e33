import {
  compareVersions,
  type LinkState,
  openOffer,
  ServiceError,
  type TakenUpdate,
  type UpdateOffer,
  type UpdateReport,
} from '@pult/link';
import type { StateDir } from '../platform/state-dir.ts';
import { agentVersion } from '../version.ts';
import { openSlots } from './slots.ts';
import { pinUpdateKey, readUpdateKey, writeUpdateKey } from './update-key.ts';

/** How often an agent that is tried out looks whether its launcher is still there. */
const parentCheckMs = 1000;

interface UpdatesOptions {
  /** What the launcher has said to this process. */
  env: Readonly<Record<string, string | undefined>>;
  state: StateDir;
  serialNumber: string;
  print(line: string): void;
  /** Ends this agent, so that its launcher starts the other version. */
  restart(): void;
}

/** Updates of this agent, as its link is asked for them. */
export interface Updates {
  take(offer: UpdateOffer): Promise<TakenUpdate>;
  /** The server has said something over the link: this version works. */
  noteState(state: LinkState): void;
  report(): UpdateReport | undefined;
}

export function createUpdates({ env, state, serialNumber, print, restart }: UpdatesOptions): Updates {
  const { PULT_SLOTS: folder, PULT_UPDATE: tried } = env;
  const slots = folder ? openSlots(folder, tried) : undefined;
  let isStoring = false;
  if (tried) endWithLauncher(restart);

  function check(offer: UpdateOffer) {
    if (!slots) throw refuse('the agent was not started by its launcher: install it by install.sh once');
    const pinned = readUpdateKey(state);
    const opened = pinned === undefined ? undefined : openOffer(offer, pinned);
    if (!opened) throw refuse('the update is not signed by the key that this agent knows');
    const { manifest, key } = opened;
    if (manifest.serialNumber !== serialNumber) throw refuse('the update is for another controller');
    if (compareVersions(manifest.version, agentVersion) < 0 && !manifest.mayDowngrade)
      throw refuse(`version ${manifest.version} is older than ${agentVersion}, which runs`);
    if (isStoring || slots.isStaged()) throw refuse('another update is under way');
    return { slots, manifest, key };
  }

  return {
    async take(offer) {
      const { slots, manifest, key } = check(offer);
      print(`update: version ${manifest.version} is coming`);
      return {
        async store(file) {
          if (isStoring) throw new Error('another update is under way');
          isStoring = true;
          try {
            await slots.stage(manifest, file);
            writeUpdateKey(state, key);
          } catch (error) {
            const reason = describe(error);
            print(`update: not taken (${reason})`);
            throw new Error(reason);
          } finally {
            isStoring = false;
          }
        },
        start() {
          print(`update: version ${manifest.version} is started`);
          restart();
        },
      };
    },
    noteState(linkState) {
      const outcome = pinUpdateKey(state, linkState);
      if (outcome === 'handed over')
        print('update: the key of the installation was replaced by its own word');
      if (outcome === 'forged') print('update: another key was announced and not signed by the one known');
      if (slots?.confirm()) print(`update: version ${agentVersion} has linked and stays`);
    },
    report: () => slots?.report(),
  };
}

/** Without its launcher nobody would bring the version before back. */
function endWithLauncher(end: () => void): void {
  const launcher = process.ppid;
  setInterval(() => {
    if (process.ppid !== launcher) end();
  }, parentCheckMs).unref();
}

function refuse(reason: string): ServiceError {
  return new ServiceError('service_refused', reason);
}

function describe(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'there is no room for it on the disk';
  return message;
}
