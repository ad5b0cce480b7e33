export { TunnelsTab } from './records/TunnelsTab.tsx';
