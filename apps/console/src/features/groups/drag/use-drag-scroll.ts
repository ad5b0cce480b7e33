import { type RefObject, useEffect } from 'react';

/** Pixels from an edge within which a drag scrolls. */
const edge = 40;
/** Pixels of one frame at the edge itself. */
const speed = 12;

/** How far to scroll in this frame; `y` from the top of something that is `height` high. */
export function scrollStep(y: number, height: number): number {
  if (y < 0 || y > height) return 0;
  if (y < edge) return -Math.ceil((speed * (edge - y)) / edge);
  if (y > height - edge) return Math.ceil((speed * (y - height + edge)) / edge);
  return 0;
}

/** Scrolls while something is dragged near the top or bottom of it: not every browser does so itself. */
export function useDragScroll(scroller: RefObject<HTMLElement | null>, isDragging: boolean): void {
  useEffect(() => {
    const element = scroller.current;
    if (!isDragging || !element) return;
    let step = 0;
    let frame = 0;
    const scroll = () => {
      element.scrollTop += step;
      frame = step === 0 ? 0 : requestAnimationFrame(scroll);
    };
    const follow = ({ clientY }: DragEvent) => {
      const { top, bottom } = element.getBoundingClientRect();
      // What of it is in the window.
      const from = Math.max(top, 0);
      step = scrollStep(clientY - from, Math.min(bottom, window.innerHeight) - from);
      if (step !== 0 && frame === 0) frame = requestAnimationFrame(scroll);
    };
    const leave = ({ relatedTarget }: DragEvent) => {
      // Rows that scroll away under a resting pointer are left as well, one after the other.
      if (!(relatedTarget instanceof Node && element.contains(relatedTarget))) step = 0;
    };
    element.addEventListener('dragover', follow);
    element.addEventListener('dragleave', leave);
    return () => {
      cancelAnimationFrame(frame);
      element.removeEventListener('dragover', follow);
      element.removeEventListener('dragleave', leave);
    };
  }, [scroller, isDragging]);
}
