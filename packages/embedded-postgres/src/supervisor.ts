import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Account } from './account.ts';
import { cleanEnvironment } from './run-as.ts';
import { librariesOf } from './run-folder.ts';

/**
 * A shell that runs one program of PostgreSQL and ends it when its own standard input ends: that is, when we close it or
 * are gone, kill -9 included. Fast shutdown (SIGINT) first, immediate (SIGQUIT) after the time of grace, SIGKILL after twice
 * that; then the run folder goes. A process is signalled only while its start time is the one seen at first, so a reused pid is safe.
 * When the program ends by itself, the shell ends with its status and leaves the run folder for the next attempt.
 */
const script = `
run=$1 libraries=$2 grace=$3
shift 3
started() {
  { read -r stat </proc/$1/stat; } 2>/dev/null || return 1
  set -- \${stat##*) }
  [ "$1" != Z ] && echo "\${20}"
}
exec 3<&0
LD_LIBRARY_PATH=$libraries "$@" 3<&- </dev/null >/dev/null &
pid=$!
since=$(started $pid)
(
  while read -r _; do :; done <&3
  trap '' TERM
  exec 3<&- 2>/dev/null
  tenths=0
  while [ -n "$since" ] && [ "$(started $pid)" = "$since" ]; do
    case $tenths in
      0) kill -INT $pid ;;
      $grace) kill -QUIT $pid ;;
      $((grace * 2))) kill -KILL $pid ;;
    esac
    tenths=$((tenths + 1))
    sleep 0.1
  done
) >/dev/null &
watcher=$!
exec 3<&-
wait $pid
status=$?
kill -TERM $watcher 2>/dev/null
wait $watcher && rm -rf "$run"
exit $status
`;

/** A program of PostgreSQL under its supervisor. */
export interface SupervisedProcess {
  /** How it ended; never rejects. A number as the shell reports it: 128 + n for signal n. */
  readonly ended: Promise<string>;
  /** Ends the program, kindly at first, and takes the run folder away. Resolves with `ended`. */
  end(): Promise<string>;
}

export function startSupervised(
  account: Account,
  command: readonly [program: string, ...args: string[]],
  { runFolder, onLine, graceMs }: { runFolder: string; onLine: (line: string) => void; graceMs: number },
): SupervisedProcess {
  const child: ChildProcess = spawn(
    '/bin/sh',
    [
      '-c',
      script,
      'pult-postgres',
      runFolder,
      librariesOf(runFolder),
      String(Math.ceil(graceMs / 100)),
      ...command,
    ],
    // A session of its own: Ctrl-C on our terminal must reach us alone, for the database stops last.
    {
      ...account.switchTo,
      cwd: '/',
      env: cleanEnvironment,
      detached: true,
      stdio: ['pipe', 'ignore', 'pipe'],
    },
  );
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) =>
      resolve(signal === null ? `status ${code}` : `its supervisor got ${signal}`),
    );
  });
  // Writing nothing, we still get EPIPE here when the supervisor is killed.
  child.stdin?.on('error', () => {});
  if (child.stderr) createInterface({ input: child.stderr }).on('line', onLine);
  return {
    ended,
    end: () => {
      child.stdin?.end();
      return ended;
    },
  };
}
