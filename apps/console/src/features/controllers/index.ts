export { agentCommand } from './agent-command.ts';
export { LastSeen } from './components/LastSeen.tsx';
export { StatusMark } from './components/StatusMark.tsx';
export { ControllerPage } from './pages/ControllerPage.tsx';
export { ControllerRedirectPage } from './pages/ControllerRedirectPage.tsx';
export { ControllersPage } from './pages/ControllersPage.tsx';
export { controllerQuery } from './queries.ts';
