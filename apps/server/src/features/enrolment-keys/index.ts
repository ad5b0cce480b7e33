export { createEnrolmentKeysFeature, type EnrolmentKeysFeature } from './enrolment-keys.feature.ts';
