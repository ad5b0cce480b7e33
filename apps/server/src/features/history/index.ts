export { controlKey } from './core/told-values.ts';
export { createHistoryFeature } from './history.feature.ts';
export { createHistoryRecorder, type HistoryRecorder } from './recorder.ts';
