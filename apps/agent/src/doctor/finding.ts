/** What one check has found: `ok`, `no` with what to do, or not looked at. */
export interface Finding {
  subject: string;
  state: 'ok' | 'failed' | 'skipped';
  text: string;
  /** What whoever reads it should do; stands with every `failed`. */
  advice?: string;
}

/** In one line, two where something is to be done. */
export function formatFinding({ subject, state, text, advice }: Finding): string[] {
  const mark = { ok: 'ok  ', failed: 'NO  ', skipped: '-   ' }[state];
  const line = `${mark} ${subject}: ${text}`;
  return advice === undefined ? [line] : [line, `       ${advice}`];
}

/** Why a connection did not come about, and what to do, in words. */
export function explainConnection(error: unknown, port: number): { text: string; advice: string } {
  const { code, message } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'ECONNREFUSED':
      return {
        text: 'refused',
        advice: `Nothing listens at port ${port} there: start it, or correct the port.`,
      };
    case 'ETIMEDOUT':
      return {
        text: 'no answer',
        advice: `Something on the way drops the packets: outgoing TCP to port ${port} must be allowed.`,
      };
    case 'ENETUNREACH':
    case 'EHOSTUNREACH':
    case 'EADDRNOTAVAIL':
      return {
        text: `no way there (${code})`,
        advice: 'Check the cable, the address of this machine and its gateway.',
      };
    case 'ECONNRESET':
      return { text: 'cut', advice: 'Something on the way, a firewall perhaps, cuts the connection.' };
    default:
      return { text: message || String(code), advice: 'Check the network of this machine.' };
  }
}
