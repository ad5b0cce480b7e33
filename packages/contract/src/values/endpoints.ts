/** How the web server of a named endpoint is spoken to. */
export const endpointSchemes = ['http', 'https'] as const;
export type EndpointScheme = (typeof endpointSchemes)[number];
