export { AlertsPage } from './pages/AlertsPage.tsx';
