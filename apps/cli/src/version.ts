/** Put in by build.mjs; absent when the sources run unbundled, as in tests. */
declare const CLI_VERSION: string | undefined;

export const cliVersion = typeof CLI_VERSION === 'string' ? CLI_VERSION : '0.0.0-source';
