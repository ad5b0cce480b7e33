import { useEffect, useState } from 'react';

/** The height that a phone's on-screen keyboard leaves free, as CSS; undefined where it is not known. */
export function useVisibleHeight(): string | undefined {
  const [height, setHeight] = useState<string>();
  useEffect(() => {
    const viewport = window.visualViewport;
    if (!viewport) return;
    const update = () => setHeight(`${Math.round(viewport.height)}px`);
    update();
    viewport.addEventListener('resize', update);
    return () => viewport.removeEventListener('resize', update);
  }, []);
  return height;
}
