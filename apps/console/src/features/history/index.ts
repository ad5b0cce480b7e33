export { type HistoryControl, HistoryDialog } from './components/HistoryDialog.tsx';
export { historySearch } from './history-search.ts';
