export { DataTab } from './components/DataTab.tsx';
export { SystemMetrics } from './components/SystemMetrics.tsx';
