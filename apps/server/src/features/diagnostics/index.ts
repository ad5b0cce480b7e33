export type { CollectionTiming } from './collections.ts';
export { createDiagnosticsFeature } from './diagnostics.feature.ts';
