export { NoticesPage } from './pages/NoticesPage.tsx';
