/** Loaded into a child before its own code: asks it to stop when the tool that started it is gone, however it went. */

if (process.channel) {
  process.on('disconnect', () => {
    // Nobody reads what is written from here on.
    process.stdout.on('error', () => {});
    process.stderr.on('error', () => {});
    process.kill(process.pid, 'SIGTERM');
  });
  process.channel.unref();
}
