export { ServicesTab } from './ServicesTab.tsx';
