export { findLeftovers } from './leftovers.ts';
export { listTables } from './major-move/catalog.ts';
export { digestTables, speakPlainly } from './major-move/transfer.ts';
