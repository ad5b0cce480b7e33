export { AddControllerPage } from './pages/AddControllerPage.tsx';
