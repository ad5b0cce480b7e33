export { type ArchiveStore, createArchiveStore } from './archives/index.ts';
export type { CollectionTiming } from './collections.ts';
export { createDiagnosticsFeature } from './diagnostics.feature.ts';
