/** The server's end of frp's protocol, version 1, over yamux. */
export { forwardErrorCodes } from './forward-error.ts';
export { ForwardedStream } from './forwarded-stream.ts';
export { type FrpOptions, FrpSession, PROXY_NAME } from './session.ts';
export { START_WINDOW } from './yamux/frames.ts';
