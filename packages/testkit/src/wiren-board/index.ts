export { type AgentTraits, type AgentVersion, agentVersions } from './agent-versions.ts';
export {
  type DeviceCertificate,
  type DeviceCertificates,
  makeDeviceCertificates,
} from './device-certificates.ts';
export { WirenBoardAgent } from './wiren-board-agent.ts';
export {
  type AgentAnswer,
  type AgentCallOptions,
  WirenBoardDevice,
  type WirenBoardServer,
} from './wiren-board-device.ts';
