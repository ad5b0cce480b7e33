export { createDevicesFeature, type DeviceTiming } from './devices.feature.ts';
export type { Enrolment } from './enrolments.repository.ts';
export type { EnrolmentsService } from './enrolments.service.ts';
export type { Links } from './links.ts';
