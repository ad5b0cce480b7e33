export { EndpointLinks } from './endpoints/EndpointLinks.tsx';
export { EndpointsSetting } from './endpoints/EndpointsSetting.tsx';
export { GuestsAllowed } from './guests/GuestsAllowed.tsx';
export { GuestsSetting } from './guests/GuestsSetting.tsx';
export { tunnelKinds } from './kinds/index.ts';
export { TunnelLink } from './kinds/TunnelLink.tsx';
export { TunnelsTab } from './records/TunnelsTab.tsx';
export { WebCacheSetting } from './web-cache/WebCacheSetting.tsx';
