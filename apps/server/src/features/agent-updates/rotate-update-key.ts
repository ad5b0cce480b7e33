import type { ChangeUpdateKey } from '../../config/secrets.ts';
import { getPublicKey, MAX_KEY_ROTATIONS, signRotation } from '../devices/index.ts';

/**
 * Another key for updates of agents, to which the present one hands over by its signature; in force from the server's next start on.
 * Answers the new public key.
 */
export async function rotateUpdateKey(
  changeKey: (change: ChangeUpdateKey) => Promise<void>,
): Promise<string> {
  let to = '';
  await changeKey(({ agentUpdateKey, agentUpdateRotations }, next) => {
    // An agent that was away all the time has to hear of each of them.
    if (agentUpdateRotations.length >= MAX_KEY_ROTATIONS)
      throw new Error(`The key has been rotated ${MAX_KEY_ROTATIONS} times: agents take no more.`);
    to = getPublicKey(next).toString('base64url');
    return {
      from: getPublicKey(agentUpdateKey).toString('base64url'),
      to,
      signature: signRotation(agentUpdateKey, to),
    };
  });
  return to;
}
