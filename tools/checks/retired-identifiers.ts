/**
 * Names that gave way to the field's terms do not come back into the code. A list of identifiers, not of words: a
 * comment and a text for people may say "told".
 */

import { basename } from 'node:path';
import ts from 'typescript';
import type { Check } from '../check.ts';
import { readSources, type Source } from './sources.ts';

/** What to say, and the identifiers and file names that said something else. */
const terms: [term: string, names: string][] = [
  [
    'alert, offline detection, fire, resolve, notified, pending',
    `Notice Notices NoticeKind NoticeRule NoticeState NoticeTable NoticeRuleTable NoticeMails NoticesHistory NoticesPage
    NoticesRepository NoticesService NoticesTable createNoticeRule createNoticesFeature createNoticesService noticeKinds
    noticeRoutes noticeRule noticeStates notice_rules notice_webhooks notice_rule notices noticesRoute useNoticesSearch
    createLosses lossesRepository losses_since lossesSince lookBack lookBackMs raise raisedAt raised_at recover
    recovered recoveredAt recovered_at untold isTold markTold notTold told_at toTell TellingRule`,
  ],
  ['mutex, runExclusive', 'createTurns InTurn inTurn Turns'],
  ['batch', 'gather gatherMs gathering gatherings gatheringMs gatheringTime isGathering'],
  ['retryAfter, load shedding', 'promiseReturn turnAway turnedAway createTurnAway'],
  ['concurrency limit, acquire, release', 'createTunnelPlaces giveBack takePlace Places'],
  ['admission control', 'DeviceTurns DeviceTurnsOptions createDeviceTurns'],
  [
    'endpoint strategy, web endpoint, tunnel proxy, upgrade handler',
    `TunnelWay tunnelWay ChannelWay WebPlace webPlace createWebPlace InterfacePlace TunnelGate createTunnelGate gate
    entrance entrancePath createLinkEntrance createWebSocketEntrance registerEntrance registerGrafanaEntrance`,
  ],
  ['recoverFromCrash, resume, drain', 'startOver goOn'],
  ['connection handle, request, session', 'LiveThing OpenThing OpenThings Life'],
  ['pipe, relay', 'carry carryAnswer carryChannel carryOutput Carriage carriage carriages'],
  [
    'streamId, offset, cursor',
    `TelemetryPosition TelemetryPositionTable PositionsRepository createPositionsRepository openPositions lockPositions
    savePositions telemetry_positions tellPosition createRingName`,
  ],
  ['telemetry subscription', 'createListeners listenToDevice ListenOptions'],
  ['ProtocolError, LineTooLongError, RateExceededError', 'NonsenseError EndlessLineError FloodError'],
  ['encrypted, Encryptor', 'seal unseal sealed Sealer sealer createSealer SealedRule'],
  ['credentialVersion, isTotpEnabled', 'passwordMark password_mark isTotpKnown'],
  [
    'supervisor, child process, install directory',
    'keepers Kept startKept Home atHome findHome readPointedHome',
  ],
  ['limit, refund', 'Ceiling CountedCeiling ceiling ceilings uncount withdraw orWithdraw'],
  [
    'details, reported value, marker, markerCluster',
    `Facts RuleFacts facts inviteFacts sessionFacts Told ToldController ToldGroup toldOf ClusterMark ControllerMark
    FleetMarks StatusMark TotpMark Marks MarksProps MarkLayer createMarkLayer countMarks patchMarks withMarks mergeClose`,
  ],
  ['fixture', 'Scene scene scenes createScene'],
  ['runPendingJobs, emit', 'hurryJobs tellSoon'],
];

const termOf = new Map(
  terms.flatMap(([term, names]) => names.split(/\s+/).map((name) => [name, term] as const)),
);
const anyRetired = new RegExp(`\\b(${[...termOf.keys()].join('|')})\\b`);
/** `createGroupScene`, `TunnelScene`: whatever was made of the word. */
const madeOfScene = /^(create)?[A-Za-z]+Scene$/;
const retiredFiles = /(^|[-.])(notices?|losses|seal(er)?|entrance|keeper|scene)([-.]|$)/;

/** What is wrong with the names of a file, one text for each retired one. */
export function findRetired({ path, text }: Source): string[] {
  const problems = retiredFiles.test(toFileName(path)) ? [`${path}: the file's name is retired.`] : [];
  if (!anyRetired.test(text) && !text.includes('Scene')) return problems;
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) {
      const name = node.text.replace(/^#/, '');
      const term = termOf.get(name) ?? (madeOfScene.test(name) ? 'fixture' : undefined);
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
      if (term) problems.push(`${path}:${line + 1}: ${node.text} is retired; say ${term}.`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return problems;
}

/** `GuestNotice.tsx` as `guest-notice.tsx`; a notice on a page is one. */
function toFileName(path: string): string {
  const name = basename(path);
  return /^[A-Z]/.test(name) ? '' : name;
}

export const retiredIdentifiers: Check = {
  name: 'retired names',
  async run() {
    const sources = await readSources(['*.ts', '*.tsx', '*.mjs', '*.cjs', '*.js']);
    return sources.filter(({ path }) => path !== 'tools/checks/retired-identifiers.ts').flatMap(findRetired);
  },
};
