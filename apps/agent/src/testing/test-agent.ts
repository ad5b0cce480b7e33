import { onTestFinished } from 'vitest';
import type { Config } from '../config/settings.ts';
import { type AgentTiming, runAgent } from '../link/run-agent.ts';
import { getDeviceKey } from '../platform/device-key.ts';
import { openStateDir } from '../platform/state-dir.ts';
import { createTempDir } from './temp-dir.ts';

interface TestAgent {
  lines: string[];
  /** Says goodbye and waits for the end. */
  stop(): Promise<void>;
}

interface TestAgentOptions {
  serverUrl: string;
  config?: Partial<Config>;
  stateDir?: string;
  timing?: Partial<AgentTiming>;
  /** Is told each line when it is printed. */
  onLine?: (line: string) => void;
}

/** A machine that offers nothing and asks nobody, but for what is told. */
export function createConfig(told: Partial<Config>): Config {
  const nowhere = { host: '127.0.0.1', port: 1, isTls: false };
  return {
    server: '',
    serial: undefined,
    stateDir: '',
    http: nowhere,
    ssh: nowhere,
    allow: undefined,
    ca: undefined,
    proxy: undefined,
    enrollmentKey: undefined,
    mqtt: undefined,
    mqttTopics: { filters: [], match: () => null },
    mqttCa: undefined,
    metricsInterval: undefined,
    dataPath: '/mnt/data',
    ...told,
  };
}

/** The agent's main loop in this process, with short delays; stopped with the test. */
export function startTestAgent(options: TestAgentOptions): TestAgent {
  const state = openStateDir(options.stateDir ?? createTempDir());
  const config = createConfig({ server: options.serverUrl, stateDir: state.path, ...options.config });
  const lines: string[] = [];
  const stop = new AbortController();
  const ended = runAgent({
    config,
    identity: {
      serverUrl: config.server,
      serialNumber: 'A1B2C3D4',
      key: getDeviceKey(state, 'machine', () => {}),
    },
    state,
    print: (line) => {
      lines.push(line);
      options.onLine?.(line);
    },
    signal: stop.signal,
    timing: {
      backOff: { baseMs: 1, maxMs: 5, healthyMs: 60_000 },
      random: () => 1,
      answerTimeoutMs: 10_000,
      localServerMs: 0,
      ...options.timing,
    },
  });
  const agent = {
    lines,
    stop: () => {
      stop.abort();
      return ended;
    },
  };
  onTestFinished(agent.stop);
  return agent;
}
