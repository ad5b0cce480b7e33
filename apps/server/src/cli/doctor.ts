import { checks } from '../doctor/checks/index.ts';
import { examine, formatDiagnosis, sayDiagnosis } from '../doctor/doctor.ts';
import { version } from '../version.ts';
import { readConfig } from './with-database.ts';

/** Says how the installation does. What cannot work makes the exit code 1; a warning does not. */
export async function runDoctor({ isJson }: { isJson: boolean }): Promise<void> {
  const diagnosis = sayDiagnosis(await examine(readConfig(), checks), 'en');
  const text = isJson
    ? `${JSON.stringify({ version, ...diagnosis }, null, 2)}\n`
    : formatDiagnosis(diagnosis);
  process.stdout.write(text);
  if (diagnosis.status === 'fail') process.exitCode = 1;
}
