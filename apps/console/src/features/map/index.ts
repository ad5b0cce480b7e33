export { MapPage } from './pages/MapPage.tsx';
