export { ConnectPage } from './pages/ConnectPage.tsx';
