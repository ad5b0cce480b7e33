export { GroupDrawer } from './components/GroupDrawer.tsx';
export { GroupPanel } from './components/GroupPanel.tsx';
export { MoveControllersDialog } from './dialogs/MoveControllersDialog.tsx';
export { useDetachControllers } from './queries.ts';
export { readRefusal } from './read-refusal.ts';
