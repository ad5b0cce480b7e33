import { expect, it } from 'vitest';
import { judgeSuccession } from './succession.ts';

type Device = NonNullable<Parameters<typeof judgeSuccession>[0]>;

const said = (organizationId: string): Device => ({
  organizationId,
  enrolmentId: `said ${organizationId}`,
  connectionKind: 'agent',
});
const proven = (organizationId: string): Device => ({
  organizationId,
  enrolmentId: `proven ${organizationId}`,
  connectionKind: 'wiren-board',
});
const bySsh: Device = { organizationId: 'ours', enrolmentId: 'ssh', connectionKind: 'ssh' };
const left = (device: Device): Device => ({ ...device, enrolmentId: null });
const another = (device: Device): Device => ({ ...device, enrolmentId: 'another' });

it.each<[candidate: string, present: string, expected: string, Device | undefined, Device]>([
  ['said', 'nobody', 'new', undefined, said('ours')],
  ['proven', 'nobody', 'new', undefined, proven('ours')],
  ['the same', 'said', 'same', said('ours'), said('ours')],
  ['the same', 'proven', 'same', proven('ours'), proven('ours')],
  ['said by another key', 'said', 'replace', said('ours'), another(said('ours'))],
  ['said by SSH', 'said', 'replace', said('ours'), bySsh],
  ['said', 'said by SSH', 'replace', bySsh, said('ours')],
  ['proven', 'said', 'replace', said('ours'), proven('ours')],
  ['proven by another key', 'proven', 'replace', proven('ours'), another(proven('ours'))],
  ['said', 'proven', 'replacement_unproven', proven('ours'), said('ours')],
  ['said by SSH', 'proven', 'replacement_unproven', proven('ours'), bySsh],
  ['said', 'said elsewhere', 'serial_number_taken', said('theirs'), said('ours')],
  ['proven', 'said elsewhere', 'serial_number_taken', said('theirs'), proven('ours')],
  ['said', 'proven elsewhere', 'serial_number_taken', proven('theirs'), said('ours')],
  ['proven', 'proven elsewhere', 'serial_number_taken', proven('theirs'), proven('ours')],
  ['proven', 'proven and left', 'return', left(proven('ours')), proven('ours')],
  ['said', 'proven and left', 'return', left(proven('ours')), said('ours')],
  ['proven', 'proven and left elsewhere', 'serial_number_taken', left(proven('theirs')), proven('ours')],
  ['said', 'proven and left elsewhere', 'serial_number_taken', left(proven('theirs')), said('ours')],
])(
  'a device that is %s, in the place of one that is %s, is judged: %s',
  (_, __, expected, present, device) => {
    const judged = judgeSuccession(present, { ...device, hasProvenRival: false });
    expect(judged.outcome === 'refused' ? judged.code : judged.outcome).toBe(expected);
  },
);

it('a device that only says a serial number outdoes none that waits and has proven it, nor does it replace one meanwhile', () => {
  for (const present of [undefined, said('theirs'), another(said('ours')), left(proven('ours'))]) {
    const judged = judgeSuccession(present, { ...said('ours'), hasProvenRival: true });
    expect(judged).toEqual({ outcome: 'refused', code: 'serial_number_proven' });
  }
  expect(judgeSuccession(undefined, { ...proven('ours'), hasProvenRival: true })).toEqual({ outcome: 'new' });
});
