/** One file of the archive, and the program whose output it is. */
export interface Section {
  file: string;
  program: string;
  args: readonly string[];
}

const section = (file: string, program: string, ...args: string[]): Section => ({ file, program, args });

/** What helps to find a fault of a Linux machine. What is not there is told in the summary. */
export const sections: readonly Section[] = [
  section('system/uname.txt', 'uname', '-a'),
  section('system/uptime.txt', 'uptime'),
  section('system/os-release.txt', 'cat', '/etc/os-release'),
  section('system/wb-release.txt', 'cat', '/usr/lib/wb-release'),
  section('system/time.txt', 'timedatectl', 'status', '--no-pager'),
  section('logs/journal.txt', 'journalctl', '--no-pager', '-o', 'short-iso', '-n', '20000'),
  section(
    'logs/journal-errors.txt',
    'journalctl',
    '--no-pager',
    '-o',
    'short-iso',
    '-p',
    'err',
    '-n',
    '5000',
  ),
  section(
    'logs/agent-journal.txt',
    'journalctl',
    '--no-pager',
    '-o',
    'short-iso',
    '-u',
    'pult-agent',
    '-n',
    '5000',
  ),
  section('logs/dmesg.txt', 'dmesg'),
  section('processes/ps.txt', 'ps', '-eo', 'pid,ppid,user,stat,pcpu,pmem,etime,args'),
  section('processes/top.txt', 'top', '-b', '-n', '1'),
  section('services/failed.txt', 'systemctl', '--no-pager', '--failed'),
  section('services/units.txt', 'systemctl', '--no-pager', 'list-units', '--all'),
  section('memory/meminfo.txt', 'cat', '/proc/meminfo'),
  section('memory/free.txt', 'free'),
  section('disks/df.txt', 'df', '-h'),
  section('disks/inodes.txt', 'df', '-i'),
  section('disks/mounts.txt', 'cat', '/proc/mounts'),
  section('disks/lsblk.txt', 'lsblk'),
  section('network/addresses.txt', 'ip', 'address'),
  section('network/links.txt', 'ip', '-s', 'link'),
  section('network/routes.txt', 'ip', 'route'),
  section('network/sockets.txt', 'ss', '-tunap'),
  section('network/resolv.txt', 'cat', '/etc/resolv.conf'),
];
