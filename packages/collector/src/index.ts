/** What an MQTT broker of the Wiren Board convention says, as telemetry: for the agent, and for the server where there is none. */
export { createControlCollector } from './control-collector.ts';
export { TelemetryLog } from './telemetry-log.ts';
export { defaultTopics, parseTopicPattern, type TopicPattern } from './topic-pattern.ts';
