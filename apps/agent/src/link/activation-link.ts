import { canShowQrCodes, drawTerminalQr } from '@pult/link/terminal-qr';

/** The lines that show an activation link: in a terminal that has UTF-8 and room for it, with its QR code. */
export function describeActivationLink(link: string): string[] {
  const { isTTY, columns } = process.stdout;
  const code = isTTY && canShowQrCodes(process.env) ? drawTerminalQr(link, columns) : [];
  return [`activation link: ${link}`, ...code];
}
