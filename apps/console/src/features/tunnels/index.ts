export { tunnelKinds } from './kinds/index.ts';
export { TunnelLink } from './kinds/TunnelLink.tsx';
export { TunnelsTab } from './records/TunnelsTab.tsx';
export { WebCacheSetting } from './web-cache/WebCacheSetting.tsx';
