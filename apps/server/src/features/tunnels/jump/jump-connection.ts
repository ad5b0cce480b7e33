import { serialNumber as serialNumberSchema } from '@pult/contract';
import type { AuthContext, RejectConnection, ServerChannel, TcpipRequestInfo } from 'ssh2';
import { actAsToken } from '../../../platform/acting-token.ts';
import type { RecordAuditEvent } from '../../../platform/audit.ts';
import type { ConcurrencyLimit } from '../../../platform/concurrency-limit.ts';
import type { ConnectionHandle } from '../../../platform/connection-handle.ts';
import { DomainError, RoleRefusal } from '../../../platform/errors.ts';
import type { Logger } from '../../../platform/log.ts';
import type { SshIncoming } from '../../../platform/ssh/ssh-listener.ts';
import { farewellMs, refuseChannel } from '../../../platform/ssh/ssh2-internals.ts';
import { fingerprintOf } from '../../../platform/ssh-fingerprint.ts';
import type { Span, Tracing } from '../../../platform/tracing/tracing.ts';
import type { SshKeyOwner, SshKeysService } from '../../accounts/index.ts';
import { type DeviceRouter, whenConnected } from '../../devices/index.ts';
import { grantOfKey } from '../live-tunnels.repository.ts';
import type { LiveTunnels } from '../live-tunnels.ts';
import type { TunnelsService } from '../tunnels.service.ts';
import { createJumpLogin } from './jump-login.ts';
import { JumpRefusal, toRefusal } from './jump-refusal.ts';
import { refuseShells } from './jump-session.ts';
import { type ChannelRelay, relayChannel } from './relay-channel.ts';

export interface JumpDependencies {
  sshKeys: SshKeysService;
  tunnels: Pick<TunnelsService, 'requireTarget'>;
  router: Pick<DeviceRouter, 'get' | 'open'>;
  live: Pick<LiveTunnels, 'track'>;
  /** Open channels by user. */
  channels: ConcurrencyLimit;
  recordAudit: RecordAuditEvent;
  log: Logger;
  tracing: Tracing;
  tunnelDomain: string;
  serviceName: string;
  securityUrl: string;
  /** TOTP_AUTH_ENABLED. */
  isTotpEnabled: boolean;
  /** Links over which the device's SSH server has accepted the last time that it was asked. */
  accepting: WeakSet<object>;
  /** As people write it behind `-J you@example.com@`. */
  getPublicAddress: () => string;
}

/** A channel that a client asks for. */
interface AskedChannel {
  accept: () => ServerChannel;
  asked: TcpipRequestInfo;
  serialNumber: string | undefined;
  /** Ends when the device has answered. */
  span: Span;
  /** What a client is told whose channel was accepted already. */
  describe: (error: Error) => string;
}

/** What people may write behind a serial number: the tunnel domain, as far as they copied it from an address. */
function suffixesOf(tunnelDomain: string): string[] {
  const domain = tunnelDomain.replace(/:\d+$/, '');
  return [`.http.${domain}`, `.ssh.${domain}`, `.${domain}`];
}

/** The serial number that a host name stands for; undefined when it cannot be one. */
export function readJumpTarget(host: string, tunnelDomain: string): string | undefined {
  const name = host.toLowerCase().replace(/\.$/, '');
  const suffix = suffixesOf(tunnelDomain).find((each) => name.endsWith(each)) ?? '';
  const parsed = serialNumberSchema.safeParse(name.slice(0, name.length - suffix.length));
  return parsed.success ? parsed.data : undefined;
}

/** What a client that has gone has sent may still reach the device. */
const lastWords = 5_000;

/**
 * One connection of an SSH client, from its login to its end; the answer evaluates its attempts to log in. `work` is told
 * of everything that goes on beyond the connection's own life, such as the last line in the audit log.
 */
export function serveJumpConnection(
  dependencies: JumpDependencies,
  { connection, socket, address }: Omit<SshIncoming, 'noteLogin'>,
  work: (task: Promise<unknown>) => void,
  onLogin: (owner: SshKeyOwner) => void,
): (attempt: AuthContext) => Promise<void> {
  const { sshKeys, tunnels, router, live, channels, accepting, recordAudit, log } = dependencies;
  const evaluate = createJumpLogin(sshKeys, address);
  const relays = new Set<ChannelRelay>();
  const gone = new AbortController();
  /** Of the last attempt to log in: an agent offers one key after another. */
  let refusedFor: string | undefined;

  connection.on('close', () => {
    gone.abort();
    const left = [...relays];
    setTimeout(() => left.forEach((each) => void each.cut()), lastWords).unref();
  });
  const resume = () => {
    for (const relay of relays) relay.resume();
  };
  socket.on('drain', resume);
  connection.on('handshake', resume);
  async function decide(attempt: AuthContext): Promise<void> {
    const outcome = await evaluate(attempt);
    if ('reason' in outcome) refusedFor = outcome.reason;
    if (socket.destroyed) return;
    if (outcome.kind === 'disconnect') connection.end();
    else if (outcome.kind === 'offer') attempt.accept();
    else if (outcome.kind === 'accept') {
      await sshKeys.noteUse(outcome.owner);
      if (socket.destroyed) return;
      admit(outcome.owner);
      attempt.accept();
    } else {
      if (outcome.kind === 'wrong_user') await noteWrongUser(outcome.owner);
      attempt.reject(['publickey']);
    }
  }

  const noteWrongUser = ({ userId, email, blob }: SshKeyOwner) => {
    const details = { reason: 'wrong_user', key: fingerprintOf(blob) };
    return recordAudit({ action: 'ssh_session.refused', userId, subject: email, address, details });
  };

  connection.once('close', () => {
    if (refusedFor !== undefined) log.info({ address, reason: refusedFor }, 'SSH login refused');
  });

  function admit(owner: SshKeyOwner): void {
    refusedFor = undefined;
    onLogin(owner);
    const user = owner.email;
    const host = dependencies.getPublicAddress();
    const values = { user, host, service: dependencies.serviceName, securityUrl: dependencies.securityUrl };
    refuseShells(connection, { locale: owner.locale, values });
    try {
      const login = live.track({ grant: grantOfKey(owner, null), kind: undefined, address }, 'session', () =>
        end(),
      );
      connection.on('close', login.end);
    } catch (error) {
      noteRefusal(error, { code: 'unavailable' }, owner);
      socket.destroy();
      return;
    }

    const format = (refusal: JumpRefusal, serialNumber: string) =>
      refusal.format({ ...values, serialNumber });
    const refuse = (reject: RejectConnection, refusal: JumpRefusal, serialNumber = '') => {
      const text = format(refusal, serialNumber);
      refuseChannel(connection, reject, { reason: refusal.reason, text });
    };
    connection.on('openssh.streamlocal', (_, reject) => refuse(reject, new JumpRefusal('kind_forbidden')));
    connection.on('tcpip', (accept, reject, asked) => {
      const serialNumber = readJumpTarget(asked.destIP, dependencies.tunnelDomain);
      const release = channels.acquire(owner.userId);
      // RFC 4253, 4.2: a line before the server's own, which OpenSSH shows with -v.
      const describe = (error: Error) =>
        format(toRefusal(error) ?? new JumpRefusal('unavailable'), serialNumber ?? '');
      const opened = release
        ? dependencies.tracing.begin({ name: 'OPEN ssh-jump', attributes: {} }, (span) =>
            actAsToken(owner.tokenName ?? undefined, () =>
              openChannel(owner, { accept, asked, serialNumber, describe, span }),
            ).finally(() => {
              release();
              span.end();
            }),
          )
        : Promise.reject(new JumpRefusal('too_many'));
      work(
        opened.catch((error: unknown) => {
          if (socket.destroyed) return;
          const refusal = toRefusal(error);
          if (refusal) noteRefusal(error, refusal, owner, serialNumber);
          else log.error({ err: error }, 'SSH channel not opened');
          refuse(reject, refusal ?? new JumpRefusal('unavailable'), serialNumber);
        }),
      );
    });
  }

  function noteRefusal(
    error: unknown,
    { code }: Pick<JumpRefusal, 'code'>,
    { userId: user }: SshKeyOwner,
    serialNumber?: string,
  ): void {
    const said = error instanceof DomainError ? error.logged : { code };
    log.info({ user, serialNumber, address, ...said }, 'SSH channel refused');
  }

  /** Resolves at the channel's end; rejects when it does not come to be. */
  async function openChannel(
    owner: SshKeyOwner,
    { accept, asked: { destPort }, serialNumber, describe, span }: AskedChannel,
  ): Promise<void> {
    if (serialNumber === undefined) throw new JumpRefusal('destination_invalid');
    if (destPort !== 22) throw new JumpRefusal('port_forbidden');
    const { userId, hasTotp, hasProvidersFactor, isService, signedInto } = owner;
    const key = fingerprintOf(owner.blob);
    const mayEnterTotpOrganizations =
      hasTotp || hasProvidersFactor || isService || !dependencies.isTotpEnabled;
    const closed = await sshKeys.getClosed(owner);
    const actor = { userId, mayEnterTotpOrganizations, signedInto: signedInto ?? undefined, closed };
    const target = await tunnels.requireTarget(actor, serialNumber).catch(async (error: unknown) => {
      if (error instanceof RoleRefusal) {
        const { organizationId, subject, code: reason } = error;
        const event = { action: 'ssh_session.refused', userId, organizationId, subject, address } as const;
        await recordAudit({ ...event, details: { reason, key } });
      }
      throw error;
    });
    const device = openEndpoint(target);
    device.accepted.catch(span.fail).finally(span.end);
    // A reason can be told only as long as the channel is not accepted. Where none is likely, what the client says first goes with
    // the opening.
    if (!device.isLikely) await device.accepted;
    const event = { userId, organizationId: target.organizationId, subject: serialNumber, address };
    let reason = 'closed';
    let opened: ConnectionHandle | undefined;
    try {
      const use = { grant: grantOfKey(owner, target), kind: 'ssh_jump', address } as const;
      opened = live.track(use, 'session', (why) => {
        reason = why;
        device.stream.destroy();
      });
      opened.watch(device.stream);
      await recordAudit({ ...event, action: 'ssh_session.opened', details: { key, keyName: owner.keyName } });
    } catch (error) {
      device.stream.destroy();
      opened?.end();
      throw error;
    }
    let relay: ChannelRelay | undefined;
    let refusal: unknown;
    if (socket.destroyed || device.stream.destroyed) {
      device.stream.destroy();
      await device.accepted.catch((error: unknown) => {
        refusal = error;
      });
    } else {
      const channel = accept();
      device.onRefused((error) => channel.write(`${describe(error)}\r\n`));
      relay = relayChannel({ channel, connection, socket }, device.stream, opened);
      relays.add(relay);
      await relay.ended;
      relays.delete(relay);
    }
    opened.end();
    const { bytesIn = 0, bytesOut = 0 } = relay ?? {};
    const details = { key, bytesIn, bytesOut, reason };
    await recordAudit({ ...event, action: 'ssh_session.closed', details });
    if (refusal) throw refusal;
  }

  /** The SSH server of a device, which may still refuse. */
  function openEndpoint(target: Parameters<DeviceRouter['open']>[0]) {
    const link = router.get(target.enrolmentId);
    const stream = router.open(target, 'ssh');
    let isAccepted = false;
    const accepted = whenConnected(stream, gone.signal).then(
      () => {
        isAccepted = true;
        if (link) accepting.add(link);
      },
      (error: unknown) => {
        if (link) accepting.delete(link);
        throw error;
      },
    );
    accepted.catch(() => {});
    return {
      stream,
      accepted,
      isLikely: link !== undefined && accepting.has(link),
      onRefused: (tell: (error: Error) => void) =>
        stream.on('error', (error) => {
          if (!isAccepted) tell(error);
        }),
    };
  }

  function end(): void {
    for (const relay of relays) relay.cut();
    connection.end();
    setTimeout(() => socket.destroy(), farewellMs).unref();
  }

  return decide;
}
