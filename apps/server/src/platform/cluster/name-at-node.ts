import type { Node } from './node.ts';

/** What lives in one process, by a name that tells of which: others pass on what is asked of it. A server that is alone needs none. */
export function nameAtNode({ id, settings }: Pick<Node, 'id' | 'settings'>, name: string): string {
  return settings ? `${id}.${name}` : name;
}

/** The node is undefined where it is this one, which answers for all that names none. */
export function readNameAtNode(
  node: Pick<Node, 'id' | 'settings'>,
  text: string,
): { name: string; nodeId: string | undefined } {
  const at = text.indexOf('.');
  const nodeId = at === -1 || !node.settings ? undefined : text.slice(0, at);
  return { name: text.slice(at + 1), nodeId: nodeId === node.id ? undefined : nodeId };
}
