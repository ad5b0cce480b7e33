export { ServiceLinks } from './components/ServiceLinks.tsx';
export { ServicesSetting } from './components/ServicesSetting.tsx';
