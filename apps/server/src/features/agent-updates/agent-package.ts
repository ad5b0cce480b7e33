import { createHash, type KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { KeyRotation, Secrets } from '../../config/secrets.ts';
import { MAX_AGENT_BYTES, signManifest, type UpdateOffer } from '../devices/index.ts';

/** The agent that this server hands out, as an update. */
export interface AgentPackage {
  readonly version: string;
  readonly file: Buffer;
  /** For one device: see `UpdateManifest`. */
  sign(update: { id: string; serialNumber: string; mayDowngrade: boolean }): UpdateOffer;
}

/** Rejects where the agent cannot be read, or says no version. */
export async function readAgentPackage(
  directory: string,
  secrets: Pick<Secrets, 'agentUpdateKey' | 'agentUpdateRotations'>,
): Promise<AgentPackage> {
  const file = await readFile(join(directory, 'pult-agent.mjs'));
  const [, version] = /^\/\/ pult-agent (\S+)$/m.exec(file.subarray(0, 200).toString('utf8')) ?? [];
  if (version === undefined) throw new Error('the built agent says no version');
  if (file.length > MAX_AGENT_BYTES) throw new Error('the built agent is too large for an update');
  return createAgentPackage(version, file, secrets.agentUpdateKey, secrets.agentUpdateRotations);
}

export function createAgentPackage(
  version: string,
  file: Buffer,
  key: KeyObject,
  rotations: readonly KeyRotation[],
): AgentPackage {
  const [size, sha256] = [file.length, createHash('sha256').update(file).digest('hex')];
  return {
    version,
    file,
    sign({ id, serialNumber, mayDowngrade }) {
      const manifest = JSON.stringify({ id, serialNumber, version, size, sha256, mayDowngrade });
      return { manifest, signature: signManifest(key, manifest), rotations: [...rotations] };
    },
  };
}
