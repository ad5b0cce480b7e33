// Loaded before a program: its wall clock goes eleven minutes forward at each SIGUSR2, and a line says so. Time that passes is left alone.
const RealDate = Date;
let ahead = 0;
process.on('SIGUSR2', () => {
  ahead += 11 * 60_000;
  process.stderr.write('the clock went forward\n');
});
globalThis.Date = class extends RealDate {
  constructor(...parts) {
    if (parts.length === 0) super(RealDate.now() + ahead);
    else super(...parts);
  }
  static now() {
    return RealDate.now() + ahead;
  }
};
