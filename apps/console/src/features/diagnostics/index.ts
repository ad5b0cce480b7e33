export { DiagnosticsTab } from './components/DiagnosticsTab.tsx';
