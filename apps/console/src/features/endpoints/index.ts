export { EndpointLinks } from './components/EndpointLinks.tsx';
export { EndpointsSetting } from './components/EndpointsSetting.tsx';
export { endpointsQuery } from './queries.ts';
