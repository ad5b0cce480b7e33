export type SshFailureCode =
  | 'ssh_authentication_failed'
  | 'ssh_private_key_invalid'
  | 'host_key_changed'
  | 'ssh_old_algorithms'
  | 'sftp_unavailable'
  | 'ssh_failed';

interface SshFailureDetails {
  /** Both, when they differ. */
  pinnedFingerprint?: string;
  presentedFingerprint?: string;
  /** The device has none that are newer. */
  algorithms?: string[];
}

/** The device's SSH server was reached but let no one in, or went away without a word. */
export class SshFailure extends Error {
  override readonly name = 'SshFailure';
  readonly code: SshFailureCode;
  readonly details: SshFailureDetails;
  /** In words of SSH, where those say more than the code. */
  readonly reason: string | undefined;

  constructor(code: SshFailureCode, details: SshFailureDetails = {}, reason?: string) {
    super(code);
    this.code = code;
    this.details = details;
    this.reason = reason;
  }
}
