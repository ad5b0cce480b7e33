import { saveFile } from '../save-file.ts';
import type { ChartPalette, LineColor } from './palette.ts';

interface Picture {
  title: string;
  /** Of what, and of which time. */
  subtitle: string;
  lines: readonly { label: string; color: LineColor; text: string }[];
  palette: ChartPalette;
  fileName: string;
}

const margin = 16;
const headHeight = 56;
const lineHeight = 20;

/** A chart with its title, time and figures as one picture, in the colours of the page. */
function drawPicture(chart: HTMLCanvasElement, picture: Picture, ratio: number): HTMLCanvasElement {
  const { title, subtitle, lines, palette } = picture;
  const canvas = document.createElement('canvas');
  canvas.width = chart.width + 2 * margin * ratio;
  canvas.height = chart.height + (headHeight + lines.length * lineHeight + 2 * margin) * ratio;
  const context = canvas.getContext('2d');
  if (!context) return canvas;
  context.fillStyle = palette.surface;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(chart, margin * ratio, headHeight * ratio);
  context.scale(ratio, ratio);
  context.textBaseline = 'alphabetic';
  const write = (text: string, left: number, top: number, font: string, color: string) => {
    context.font = `${font} ${palette.font}`;
    context.fillStyle = color;
    context.fillText(text, left, top, canvas.width / ratio - left - margin);
  };
  write(title, margin, 27, '600 15px', palette.text);
  write(subtitle, margin, 46, '12px', palette.muted);
  lines.forEach(({ label, color, text }, index) => {
    const top = headHeight + chart.height / ratio + margin + index * lineHeight + 6;
    context.fillStyle = palette[color];
    context.fillRect(margin, top - 5, 12, 3);
    write(`${label}   ${text}`, margin + 20, top, '12px', palette.text);
  });
  return canvas;
}

/** Saves it as a PNG file. */
export async function savePicture(chart: HTMLCanvasElement, picture: Picture, ratio: number): Promise<void> {
  const canvas = drawPicture(chart, picture, ratio);
  const content = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (!content) throw new Error('the browser made no picture');
  saveFile(content, picture.fileName);
}
