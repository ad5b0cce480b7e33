/** Joining, cutting and counting as the link between server and devices does it, which nothing of it needs a link for. */
export { countSmallPieces, joinStreams, resetSocket, SocketLike } from '@pult/link';
export { TcpMessages } from '@pult/link/tcp-messages';
