export { Overview } from './components/Overview.tsx';
