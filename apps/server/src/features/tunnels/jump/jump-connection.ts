import type { AuthContext, RejectConnection, ServerChannel, TcpipRequestInfo } from 'ssh2';
import type { RecordAuditEvent } from '../../../platform/audit.ts';
import type { ConcurrencyLimit } from '../../../platform/concurrency-limit.ts';
import type { ConnectionHandle } from '../../../platform/connection-handle.ts';
import { RoleRefusal } from '../../../platform/errors.ts';
import type { Logger } from '../../../platform/log.ts';
import type { SshIncoming } from '../../../platform/ssh/ssh-listener.ts';
import { countUnread, farewellMs, refuseChannel } from '../../../platform/ssh/ssh2-internals.ts';
import { fingerprintOf } from '../../../platform/ssh-fingerprint.ts';
import type { SshKeyOwner, SshKeysService } from '../../accounts/index.ts';
import type { Links } from '../../devices/index.ts';
import type { LiveTunnels } from '../live-tunnels.ts';
import { sshTunnel } from '../ssh/ssh-kind.ts';
import type { TunnelsService } from '../tunnels.service.ts';
import { jumpGrant } from './jump-grant.ts';
import { createJumpLogin } from './jump-login.ts';
import { JumpRefusal, toRefusal } from './jump-refusal.ts';
import { refuseShells } from './jump-session.ts';
import { readJumpTarget } from './jump-target.ts';
import { type ChannelRelay, relayChannel } from './relay-channel.ts';

export interface JumpDependencies {
  sshKeys: SshKeysService;
  tunnels: Pick<TunnelsService, 'requireTarget'>;
  links: Pick<Links, 'connect'>;
  live: Pick<LiveTunnels, 'track'>;
  /** Open channels by user. */
  channels: ConcurrencyLimit;
  recordAudit: RecordAuditEvent;
  log: Logger;
  tunnelDomain: string;
  serviceName: string;
  securityUrl: string;
  /** TOTP_AUTH_ENABLED. */
  isTotpEnabled: boolean;
  /** As people write it behind `-J you@example.com@`. */
  getPublicAddress: () => string;
}

/** What ssh2 lets a client send into one channel without asking for more, and a little. */
const maxUnread = 2.25 * 1024 * 1024;
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
  const { sshKeys, tunnels, links, live, channels, recordAudit, log } = dependencies;
  const evaluate = createJumpLogin(sshKeys);
  const relays = new Set<ChannelRelay>();
  const gone = new AbortController();

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
  // Before ssh2 takes the bytes: what a client sends against the rules is held in memory no longer.
  socket.on('data', () => {
    const isHonest = [...relays].every(({ channel }) => countUnread(channel) <= maxUnread);
    if (!isHonest) socket.destroy();
  });

  async function decide(attempt: AuthContext): Promise<void> {
    const outcome = await evaluate(attempt);
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

  function admit(owner: SshKeyOwner): void {
    onLogin(owner);
    const user = owner.email;
    const host = dependencies.getPublicAddress();
    const values = { user, host, service: dependencies.serviceName, securityUrl: dependencies.securityUrl };
    refuseShells(connection, { locale: owner.locale, values });
    try {
      const login = live.track({ grant: jumpGrant(owner, null), kind: undefined, address }, 'session', () =>
        end(),
      );
      connection.on('close', login.end);
    } catch {
      socket.destroy();
      return;
    }

    const refuse = (reject: RejectConnection, refusal: JumpRefusal, serialNumber = '') => {
      const text = refusal.format({ ...values, serialNumber });
      refuseChannel(connection, reject, { reason: refusal.reason, text });
    };
    connection.on('openssh.streamlocal', (_, reject) => refuse(reject, new JumpRefusal('kind_forbidden')));
    connection.on('tcpip', (accept, reject, asked) => {
      const serialNumber = readJumpTarget(asked.destIP, dependencies.tunnelDomain);
      const release = channels.acquire(owner.userId);
      const opened = release
        ? openChannel(owner, accept, asked, serialNumber).finally(release)
        : Promise.reject(new JumpRefusal('too_many'));
      work(
        opened.catch((error: unknown) => {
          if (socket.destroyed) return;
          const refusal = toRefusal(error);
          if (!refusal) log.error({ err: error }, 'SSH channel not opened');
          refuse(reject, refusal ?? new JumpRefusal('unavailable'), serialNumber);
        }),
      );
    });
  }

  /** Resolves at the channel's end; rejects when it does not come to be. */
  async function openChannel(
    owner: SshKeyOwner,
    accept: () => ServerChannel,
    { destPort }: TcpipRequestInfo,
    serialNumber: string | undefined,
  ): Promise<void> {
    if (serialNumber === undefined) throw new JumpRefusal('destination_invalid');
    if (destPort !== 22) throw new JumpRefusal('port_forbidden');
    const { userId, hasTotp } = owner;
    const key = fingerprintOf(owner.blob);
    const actor = { userId, mayEnterTotpOrganizations: hasTotp || !dependencies.isTotpEnabled };
    const target = await tunnels.requireTarget(actor, serialNumber).catch(async (error: unknown) => {
      if (error instanceof RoleRefusal) {
        const { organizationId, subject, code: reason } = error;
        const event = { action: 'ssh_session.refused', userId, organizationId, subject, address } as const;
        await recordAudit({ ...event, details: { reason, key } });
      }
      throw error;
    });
    const device = await links.connect(target, sshTunnel.endpoint, { signal: gone.signal });
    // Until it is relayed, and after.
    device.on('error', () => {});
    const event = { userId, organizationId: target.organizationId, subject: serialNumber, address };
    let reason = 'closed';
    let opened: ConnectionHandle | undefined;
    try {
      const use = { grant: jumpGrant(owner, target), kind: 'ssh_jump', address } as const;
      opened = live.track(use, 'session', (why) => {
        reason = why;
        device.destroy();
      });
      opened.watch(device);
      await recordAudit({ ...event, action: 'ssh_session.opened', details: { key, keyName: owner.keyName } });
    } catch (error) {
      device.destroy();
      opened?.end();
      throw error;
    }
    let relay: ChannelRelay | undefined;
    if (socket.destroyed || device.destroyed) {
      device.destroy();
    } else {
      const channel = accept();
      relay = relayChannel({ channel, connection, socket }, device, opened);
      relays.add(relay);
      await relay.ended;
      relays.delete(relay);
    }
    opened.end();
    const { bytesIn = 0, bytesOut = 0 } = relay ?? {};
    const details = { key, bytesIn, bytesOut, reason };
    await recordAudit({ ...event, action: 'ssh_session.closed', details });
  }

  function end(): void {
    for (const relay of relays) relay.cut();
    connection.end();
    setTimeout(() => socket.destroy(), farewellMs).unref();
  }

  return decide;
}
