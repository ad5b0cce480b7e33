export { GroupBudgetDialog } from './components/GroupBudgetDialog.tsx';
export { TrafficTab } from './components/TrafficTab.tsx';
