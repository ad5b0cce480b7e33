export { DataTab } from './components/DataTab.tsx';
