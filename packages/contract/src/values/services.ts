/** How the web server of a service is spoken to. */
export const serviceSchemes = ['http', 'https'] as const;
export type ServiceScheme = (typeof serviceSchemes)[number];
