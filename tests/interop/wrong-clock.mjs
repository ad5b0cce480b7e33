// Loaded before a program: every clock of the wall it can read is ten years late. Time that passes is left alone.
const offset = -10 * 365.25 * 24 * 3600_000;
const RealDate = Date;
globalThis.Date = class extends RealDate {
  constructor(...parts) {
    if (parts.length === 0) super(RealDate.now() + offset);
    else super(...parts);
  }
  static now() {
    return RealDate.now() + offset;
  }
};
