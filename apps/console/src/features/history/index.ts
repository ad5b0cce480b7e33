export { ControlHistory } from './components/ControlHistory.tsx';
export type { HistoryControl } from './components/HistoryDialog.tsx';
export { historySearch } from './history-search.ts';
