export const controllerStatuses = ['online', 'offline', 'never'] as const;
export type ControllerStatus = (typeof controllerStatuses)[number];

/** Why the status is what it is. */
export const statusReasons = ['link', 'server_restart', 'never_seen', 'duplicate_identity'] as const;
export type StatusReason = (typeof statusReasons)[number];
