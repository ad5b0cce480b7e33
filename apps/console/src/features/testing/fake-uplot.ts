import { act } from '@testing-library/react';
import type uPlot from 'uplot';

/** The drawing of charts without a canvas: what it is given can be read, and a pixel is a millisecond. */
export class FakeUplot {
  static open: FakeUplot[] = [];
  static paths = {};
  readonly options: uPlot.Options;
  data: uPlot.AlignedData;
  readonly ctx = { canvas: document.createElement('canvas') };
  readonly cursor: { idx: number | null; left: number } = { idx: null, left: -10 };
  readonly select = { left: 0, top: 0, width: 0, height: 0 };
  readonly width = 0;
  readonly height = 0;

  constructor(options: uPlot.Options, data: uPlot.AlignedData) {
    this.options = options;
    this.data = data;
    FakeUplot.open.push(this);
  }
  /** The chart of that line, as it is shown now. */
  static of(label: string): FakeUplot {
    const chart = FakeUplot.open.find(({ options }) => options.series.some((line) => line.label === label));
    if (!chart) throw new Error(`there is no chart of ${label}`);
    return chart;
  }
  valToPos = (value: number) => value;
  setData(data: uPlot.AlignedData) {
    this.data = data;
  }
  setSize() {
    // Nothing here has a size.
  }
  setCursor = ({ left }: { left: number }) => {
    const index = left < 0 ? -1 : [...this.data[0]].indexOf(left);
    this.cursor.idx = index < 0 ? null : index;
    this.cursor.left = left;
    // The real one hands itself to its hooks.
    act(() => this.options.hooks?.setCursor?.forEach((tell) => void tell?.(this as unknown as uPlot)));
  };
  posToVal = (position: number) => position;
  setSelect(part: { left: number; width: number }) {
    Object.assign(this.select, part);
  }
  /** As somebody draws the pointer over it. */
  drag(from: number, to: number) {
    this.setSelect({ left: from, width: to - from });
    act(() => this.options.hooks?.setSelect?.forEach((tell) => void tell?.(this as unknown as uPlot)));
  }
  destroy() {
    FakeUplot.open = FakeUplot.open.filter((chart) => chart !== this);
  }
}
