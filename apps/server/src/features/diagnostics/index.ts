export type { ArchiveStore } from './archives/index.ts';
export type { CollectionTiming } from './collections.ts';
export { createDiagnosticsFeature } from './diagnostics.feature.ts';
