import { create } from 'qrcode';

/** Light around a code without which scanners do not find it, in modules (ISO/IEC 18004). */
const margin = 4;

/** A QR code as the path and the box of an SVG; a fifth of it may be dirty or torn. */
export function drawQr(text: string): { path: string; viewBox: string } {
  const { modules } = create(text, { errorCorrectionLevel: 'M' });
  const { size } = modules;
  let path = '';
  for (let row = 0; row < size; row += 1) {
    for (let column = 0; column < size; column += 1) {
      const from = column;
      while (column < size && modules.get(row, column)) column += 1;
      if (column > from) path += `M${from} ${row}h${column - from}v1h-${column - from}z`;
    }
  }
  const side = size + 2 * margin;
  return { path, viewBox: `${-margin} ${-margin} ${side} ${side}` };
}
