export { EndpointLinks } from './endpoints/EndpointLinks.tsx';
export { EndpointsSetting } from './endpoints/EndpointsSetting.tsx';
export { GuestDetails, useGuestService } from './guests/GuestDetails.tsx';
export { GuestsAllowed } from './guests/GuestsAllowed.tsx';
export { GuestsSetting } from './guests/GuestsSetting.tsx';
export { organizationGuestLinksQuery } from './guests/queries.ts';
export { tunnelKinds } from './kinds/index.ts';
export { TunnelLink } from './kinds/TunnelLink.tsx';
export { WebCacheSetting } from './web-cache/WebCacheSetting.tsx';
