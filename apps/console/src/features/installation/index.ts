export { InstallationPage } from './pages/InstallationPage.tsx';
