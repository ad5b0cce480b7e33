import { type ChildProcess, spawn } from 'node:child_process';

/**
 * Ends what a test run leaves behind, however the run ends, a SIGKILL included: a shell in its own session reads the
 * names of processes and folders from a pipe, and the end of the pipe is the end of the test process.
 */
const script = `
pids= dirs=
while read -r verb value; do
  case $verb in
    pid) pids="$pids $value" ;;
    ended) pids=$(printf ' %s ' $pids | sed "s/ $value / /") ;;
    dir) dirs="$dirs
$value" ;;
  esac
done
for pid in $pids; do kill -TERM $pid 2>/dev/null; done
for pid in $pids; do
  tries=0
  while kill -0 $pid 2>/dev/null && [ $tries -lt 100 ]; do sleep 0.1; tries=$((tries + 1)); done
  kill -KILL $pid 2>/dev/null
done
printf '%s\\n' "$dirs" | while read -r dir; do
  if [ -n "$dir" ]; then rm -rf -- "$dir"; fi
done
`;

let reaper: ChildProcess | undefined;

function tell(verb: 'pid' | 'ended' | 'dir', value: string | number): void {
  if (!reaper) {
    reaper = spawn('/bin/sh', ['-c', script], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
    reaper.unref();
    // A pipe of a child is a socket at run time; unref keeps it from holding the test process open.
    (reaper.stdin as { unref?: () => void } | null)?.unref?.();
    reaper.stdin?.on('error', () => {});
  }
  reaper.stdin?.write(`${verb} ${value}\n`);
}

export function reapProcess(pid: number): void {
  tell('pid', pid);
}

/** To be called once the process is gone, so that a later process of the same number is left alone. */
export function forgetProcess(pid: number): void {
  tell('ended', pid);
}

export function reapFolder(path: string): void {
  tell('dir', path);
}
