import type { Installation } from '@pult/contract';
import { installationProblems } from '@pult/contract/values';
import { useTranslation } from 'react-i18next';
import { usePultCommand } from '../../../shared/api/use-pult-command.ts';
import { listProblems, overallState } from '../problems.ts';
import classes from './installation.module.css';
import { StateIcon } from './StateLabel.tsx';

/** How it does as a whole, what is wrong and what to do about it. */
export function Summary({ installation }: { installation: Installation }) {
  const { t } = useTranslation('installation');
  const pult = usePultCommand();
  const state = overallState(installation);
  const problems = listProblems(installation);
  return (
    <section className={classes.summary} data-state={state} aria-label={t(`summary.${state}`)}>
      <h2 className={classes.summaryTitle} role="status">
        <StateIcon state={state} size={20} />
        {t(`summary.${state}`)}
      </h2>
      {problems.length > 0 && (
        <ul className={classes.problems}>
          {problems.map((problem) => (
            <li key={problem}>
              <StateIcon state={installationProblems[problem]} />
              <div>
                <strong>{t(`problem.${problem}.title`)}</strong>
                <span>{t(`problem.${problem}.action`, { pult })}</span>
              </div>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
