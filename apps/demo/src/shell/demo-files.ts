import { MemoryFiles } from './memory-files.ts';

export const home = '/home/demo';

/** What a controller of the demo has at its start. */
export function createDemoFiles(hostname: string, now = new Date()): MemoryFiles {
  const files = new MemoryFiles();
  const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000);
  const time = (minutes: number) => ago(minutes).toISOString().slice(0, 19).replace('T', ' ');
  files.writeText('/etc/hostname', `${hostname}\n`, ago(60 * 24 * 90));
  files.writeText(
    '/etc/os-release',
    'PRETTY_NAME="Demo controller (nothing here is real)"\nID=demo\n',
    ago(60 * 24 * 90),
  );
  files.writeText(
    '/etc/motd',
    'A toy shell of the demo: nothing here is real. Type help.\n',
    ago(60 * 24 * 90),
  );
  files.writeText(
    `${home}/README.txt`,
    'These files are in the memory of the demo: change them, upload and download as you like.\nThey are gone when it stops.\n',
    ago(60 * 24 * 30),
  );
  files.writeText(`${home}/.profile`, 'export LANG=C.UTF-8\n', ago(60 * 24 * 90));
  files.writeText(
    `${home}/scripts/heating.js`,
    'defineRule("night", {\n  when: cron("0 0 22 * * *"),\n  then: function () { dev["heating/setpoint"] = 18; }\n});\n',
    ago(60 * 24 * 3),
  );
  const log = Array.from({ length: 48 }, (_, index) => 48 - index)
    .map((hours) => {
      const supply = 64 + 3 * Math.sin(hours / 4);
      return `${time(hours * 60)} supply ${supply.toFixed(1)} return ${(supply - 16).toFixed(1)}\n`;
    })
    .join('');
  files.writeText('/var/log/heating.log', log, ago(60));
  // What the console's command for scp fetches.
  files.writeText('/var/log/syslog', `${time(90)} ${hostname} pult-agent: link: connected\n`, ago(90));
  return files;
}
