import { goneVariables } from '../../config/gone-variables.ts';
import type { DoctorCheck } from '../doctor.ts';
import { warn } from '../finding.ts';

/** Settings of earlier versions that are set: all there are ask for what a proxy does now. */
export const goneSettings: DoctorCheck = {
  name: 'proxy',
  async run({ config: { gone } }) {
    return gone.map((name) =>
      warn(
        { en: `this version does not read ${name}`, ru: `эта версия не читает ${name}` },
        goneVariables[name],
      ),
    );
  },
};
