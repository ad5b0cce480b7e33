/** What a message is about; `test` is somebody's press of a button. */
export const alertMessageTypes = ['alerts.fired', 'alerts.resolved', 'alerts.traffic', 'test'] as const;
export type AlertMessageType = (typeof alertMessageTypes)[number];

/** Why a message did not arrive. */
export const deliveryFailures = [
  /** Its name has no address. */
  'name_unknown',
  /** Its address is of the server's own network: see ALERT_WEBHOOK_PRIVATE. */
  'address_private',
  'timeout',
  /** No connection, or it broke. */
  'unreachable',
  /** The certificate is not good. */
  'certificate',
  /** It answered with another address, which is not followed. */
  'redirect',
  /** It answered with another status than 2xx. */
  'status',
  /** Its address and key were encrypted with a key of the server that is gone: they are to be entered anew. */
  'key_lost',
  /** It was not asked: it has said how long it wants to be left alone, such as by `Retry-After`. */
  'paused',
] as const;
export type DeliveryFailureReason = (typeof deliveryFailures)[number];

/** `traffic_80`, `traffic_100`: it has moved so many percent of its budget in this month. */
export const alertKinds = ['offline', 'traffic_80', 'traffic_100'] as const;
export type AlertKind = (typeof alertKinds)[number];

export const alertStates = ['firing', 'resolved'] as const;
export type AlertState = (typeof alertStates)[number];
