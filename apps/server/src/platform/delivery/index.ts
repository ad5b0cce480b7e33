export { decryptContent } from './content.ts';
export { createDeliveriesRepository, type StoredDelivery } from './deliveries.repository.ts';
export { createDeliveries, type Deliveries } from './deliveries.ts';
export { type ClaimedDelivery, DeliveryFailure, type DeliveryMethod, type NewDelivery } from './delivery.ts';
