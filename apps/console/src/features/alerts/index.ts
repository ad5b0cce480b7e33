export { describeFailure } from './channels/delivery-text.ts';
export { AlertsPage } from './pages/AlertsPage.tsx';
