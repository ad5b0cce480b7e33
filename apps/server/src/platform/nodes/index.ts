export { createNode, type Node, type NodeTiming } from './node.ts';
