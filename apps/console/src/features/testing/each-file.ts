/**
 * Vitest's set-up of the console's test files. They share their worker's modules and page (loading both for each
 * took most of their time), so what a test leaves there ends with it.
 */

import { cleanup, configure } from '@testing-library/react';
import { afterAll, afterEach, vi } from 'vitest';
import { closeToasts } from '../../shared/toasts/show-toast.tsx';
import { showDialog } from '../../shared/ui/DialogHost.tsx';
import { FakeUplot } from './fake-uplot.ts';

// The first page of a file is compiled while the test waits.
configure({
  asyncUtilTimeout: 15_000,
  // Without the page written out: each look that finds nothing yet would do so, many times a second.
  getElementError: (message) => new Error(message ?? ''),
});

// The page of the tests has no canvas.
vi.mock('uplot', () => ({ default: FakeUplot }));

afterEach(() => {
  closeToasts();
  cleanup();
  showDialog(null);
  localStorage.clear();
  sessionStorage.clear();
});

// A part of the console that is still being loaded would fail for the files to come as well.
afterAll(() => vi.dynamicImportSettled());

// Styles of the component library and of the terminal are matched with every element that a test looks for by its role:
// a quarter of the processor's time of these tests, and none of them is about looks.
Object.defineProperty(HTMLStyleElement.prototype, 'sheet', { configurable: true, get: () => null });
