export { nameAtNode, readNameAtNode } from './name-at-node.ts';
export { createNode, type Node, type NodeTiming } from './node.ts';
export { createSealedSecretsRepository } from './sealed-secrets.repository.ts';
