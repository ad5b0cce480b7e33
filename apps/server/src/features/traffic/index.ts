export { createTrafficFeature, type TrafficTiming } from './traffic.feature.ts';
