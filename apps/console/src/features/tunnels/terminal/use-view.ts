import { useState } from 'react';
import type { ViewSettings } from '../components/TerminalView.tsx';
import {
  fontSizes,
  loadFontSize,
  loadScrollback,
  saveFontSize,
  saveScrollback,
} from './terminal-preferences.ts';

/** How terminals look in this browser, remembered. */
export function useView(): ViewSettings {
  const [fontSize, setFontSize] = useState(loadFontSize);
  const [scrollback, setScrollback] = useState(loadScrollback);
  return {
    fontSize,
    onFontSize(size) {
      if (size < fontSizes.min || size > fontSizes.max) return;
      setFontSize(size);
      saveFontSize(size);
    },
    scrollback,
    onScrollback(lines) {
      setScrollback(lines);
      saveScrollback(lines);
    },
  };
}
