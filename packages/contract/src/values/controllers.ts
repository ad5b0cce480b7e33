import type { Text } from '../locale.ts';

export const controllerStatuses = ['online', 'offline', 'never'] as const;
export type ControllerStatus = (typeof controllerStatuses)[number];

/** In a file. */
export const controllerStatusLabels: Readonly<Record<ControllerStatus, Text>> = {
  online: { ru: 'В сети', en: 'Online' },
  offline: { ru: 'Не в сети', en: 'Offline' },
  never: { ru: 'Не подключался', en: 'Never connected' },
};

/** Which of the counts by status is of which. */
export const statusCountOf = { online: 'countOnline', offline: 'countOffline', never: 'countNever' } as const;

/** Why the status is what it is. */
export const statusReasons = [
  'link',
  'server_restart',
  'never_seen',
  'duplicate_identity',
  // Its device has left by itself, and is linked no more until it is claimed again.
  'detached',
] as const;
export type StatusReason = (typeof statusReasons)[number];
