export { ControllerPage } from './pages/ControllerPage.tsx';
export { ControllerRedirectPage } from './pages/ControllerRedirectPage.tsx';
export { ControllersPage } from './pages/ControllersPage.tsx';
