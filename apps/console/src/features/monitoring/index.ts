export { MonitoringPage } from './pages/MonitoringPage.tsx';
