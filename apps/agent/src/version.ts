/** Put in by build.mjs; absent when the sources run unbundled, as in tests. */
declare const AGENT_VERSION: string | undefined;

export const agentVersion = typeof AGENT_VERSION === 'string' ? AGENT_VERSION : '0.0.0-source';
