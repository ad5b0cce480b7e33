import type { Config } from '../config/settings.ts';
import { checkSsh, checkWebInterface } from './check-device.ts';
import { checkLink } from './check-link.ts';
import { checkName, checkTcp, getPlace } from './check-network.ts';
import { checkAnswer, checkProxy, checkTls } from './check-server.ts';
import { type Finding, formatFinding } from './finding.ts';

/**
 * Looks at all that a link needs, from near to far, and says of each that it is well or what to do. What lies behind a
 * failure is left out: it would fail for the same reason. True when nothing is to be done.
 */
export async function examine(
  config: Config,
  serialNumber: string,
  print: (line: string) => void,
): Promise<boolean> {
  let isWell = true;
  const say = (finding: Finding) => {
    if (finding.state === 'failed') isWell = false;
    for (const line of formatFinding(finding)) print(line);
    return finding.state !== 'failed';
  };
  if (await reachServer(config, say)) {
    const { finding: tls, isSpoken } = await checkTls(config);
    let isServer = say(tls);
    // With a certificate that is refused, too: a wrong clock may be the reason.
    const answers = isSpoken ? await checkAnswer(config, serialNumber) : [];
    for (const finding of answers) isServer = say(finding) && isServer;
    if (isServer) for (const finding of await checkLink(config, serialNumber)) say(finding);
  }
  say(await checkWebInterface(config));
  say(await checkSsh(config));
  return isWell;
}

/** The way to the server; behind a proxy the name is the proxy's affair. */
async function reachServer(config: Config, say: (finding: Finding) => boolean): Promise<boolean> {
  const place = getPlace(config.proxy ?? new URL(config.server));
  const { finding, addresses } = await checkName(place);
  if (!say(finding)) return false;
  if (!say(await checkTcp(addresses, place.port))) return false;
  return say(await checkProxy(config));
}
