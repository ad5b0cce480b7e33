export { FrpClient, type FrpClientOptions, frpMessage } from './frp-client.ts';
export { YamuxClient, yamuxFrame } from './yamux-client.ts';
