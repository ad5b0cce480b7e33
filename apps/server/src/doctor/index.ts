import type { Config } from '../config/config.ts';
import type { Diagnosis } from './doctor.ts';

/** What the doctor finds. Loaded when somebody wants to know: its checks are much code. */
export async function examineInstallation(config: Config): Promise<Diagnosis> {
  const [{ examine }, { checks }] = await Promise.all([import('./doctor.ts'), import('./checks/index.ts')]);
  return examine(config, checks);
}
