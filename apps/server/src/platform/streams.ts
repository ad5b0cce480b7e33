/** Joining and cutting streams as the link between server and devices does it, which nothing of it needs a link for. */
export { joinStreams, resetSocket } from '@pult/link';
