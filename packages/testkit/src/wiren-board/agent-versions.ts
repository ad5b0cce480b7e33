/** What a version of the vendor's agent does in its own way. */
export interface AgentTraits {
  /** Asks the base address for its head until that is there, before anything else. */
  probes: boolean;
  /** Ends where a call of its start fails, and is started anew; otherwise it goes on trying in the same process. */
  endsOnFailedStart: boolean;
  /** Tells its hardware revision as soon as its broker does, before its start as well; otherwise behind its start, which fails with it. */
  tellsRevisionAtOnce: boolean;
  /** What it says of itself at its start. */
  versions: readonly string[];
  takesEmptyPayload: boolean;
  /** Says whether it has applied what it confirms. */
  tellsApplied: boolean;
  /** Of `update_metrics_config`: the key that its payload must have. */
  metricsKey: 'config' | 'script' | 'vars';
  /** Confirms such an event also where it could not apply it; otherwise it asks for it for ever. */
  confirmsFailedMetrics: boolean;
  /** The most of its collector's log that it sends, in bytes; none before it has one. */
  logBytes: number;
  packsLogs: boolean;
}

const first: AgentTraits = {
  probes: false,
  endsOnFailedStart: true,
  tellsRevisionAtOnce: true,
  versions: ['agent_version'],
  takesEmptyPayload: false,
  tellsApplied: false,
  metricsKey: 'config',
  confirmsFailedMetrics: false,
  logBytes: 0,
  packsLogs: false,
};
const probing: AgentTraits = {
  ...first,
  probes: true,
  versions: ['agent_version', 'telegraf_version', 'frpc_version', 'crypto_engine_key'],
};
const scripted: AgentTraits = {
  ...probing,
  takesEmptyPayload: true,
  metricsKey: 'script',
  logBytes: 8192,
  versions: [
    ...['agent_version', 'frpc_version', 'python_version', 'mqttrpc_version', 'paho_mqtt_version'],
    ...['wb_mqtt_db_version', 'crypto_engine_key'],
  ],
};
const confirming: AgentTraits = { ...scripted, tellsApplied: true, confirmsFailedMetrics: true };
const packaged: AgentTraits = { ...confirming, metricsKey: 'vars', logBytes: 262_144, packsLogs: true };

/** By the sources and the list of changes of the agent; what is between two of them is as the lower one. */
export const agentVersions = {
  '1.5.14': first,
  '1.6.12': probing,
  '1.7.1': scripted,
  '1.7.2': confirming,
  '1.8.1': packaged,
  '1.8.3': { ...packaged, endsOnFailedStart: false, tellsRevisionAtOnce: false },
} as const satisfies Readonly<Record<string, AgentTraits>>;
export type AgentVersion = keyof typeof agentVersions;
