/**
 * What the bytes of a controller are for. `web`: its web interface and named endpoints. `terminal`: everything over SSH,
 * files and jump host too. `keepalive`: what the connection itself needs, in which all that is of no other kind is counted.
 */
export const trafficKinds = ['web', 'terminal', 'telemetry', 'diagnostics', 'keepalive'] as const;
export type TrafficKind = (typeof trafficKinds)[number];
