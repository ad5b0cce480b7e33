export const controllerStatuses = ['online', 'offline', 'never'] as const;
export type ControllerStatus = (typeof controllerStatuses)[number];

/** Which of the counts by status is of which. */
export const statusCountOf = { online: 'countOnline', offline: 'countOffline', never: 'countNever' } as const;

/** Why the status is what it is. */
export const statusReasons = ['link', 'server_restart', 'never_seen', 'duplicate_identity'] as const;
export type StatusReason = (typeof statusReasons)[number];
