import type { FastifyReply, FastifyRequest } from 'fastify';
import type { PassedCalls } from './passed-calls.ts';

/** By this a node knows that another one has not got it either. */
const passedHeader = 'x-pult-other-version';
/** While nodes are upgraded this is asked for each file of a page. */
const rememberedMs = 5_000;

interface ListedNode {
  id: string;
  state: string;
  version: string;
  isThis: boolean;
}

/** Has a node of another version answer; false where there is none that does. */
export type AskOtherVersion = (exchange: {
  request: FastifyRequest;
  reply: FastifyReply;
}) => Promise<boolean>;

/** While nodes are upgraded one after the other, a page of one version asks nodes of the other one for its parts. */
export function createAskOtherVersion(dependencies: {
  /** Undefined where there are no other nodes. */
  passedCalls: PassedCalls | undefined;
  listNodes: () => Promise<readonly ListedNode[]>;
  version: string;
}): AskOtherVersion {
  const { passedCalls, listNodes, version } = dependencies;
  let listed: Promise<readonly ListedNode[]> | undefined;

  function list(): Promise<readonly ListedNode[]> {
    if (listed) return listed;
    const asked = listNodes();
    listed = asked;
    const forget = () => {
      if (listed === asked) listed = undefined;
    };
    asked.then(() => setTimeout(forget, rememberedMs).unref(), forget);
    return asked;
  }

  return async ({ request, reply }) => {
    if (!passedCalls || request.headers[passedHeader] !== undefined) return false;
    try {
      const other = (await list()).find(
        (node) => !node.isThis && node.state === 'active' && node.version !== version,
      );
      if (!other) return false;
      request.raw.headers[passedHeader] = version;
      await passedCalls.answer(request.raw, reply.raw, other.id, () => reply.hijack());
      return true;
    } catch {
      return false; // of the database, or of the way there
    }
  };
}
