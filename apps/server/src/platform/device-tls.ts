/** What agents and the server speak to web servers of devices alike. */
export { describeOldTls, deviceTls, readTlsFailure } from '@pult/link';
