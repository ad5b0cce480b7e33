export {
  type DeviceCertificate,
  type DeviceCertificates,
  makeDeviceCertificates,
} from './device-certificates.ts';
export {
  type AgentAnswer,
  type AgentCallOptions,
  WirenBoardDevice,
  type WirenBoardServer,
} from './wiren-board-device.ts';
