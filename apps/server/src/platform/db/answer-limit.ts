/** What a statement says of how long the server lets those after it run on that connection. */
const liftsLimit = /^\s*set\s+(local\s+)?statement_timeout\s*=\s*0\s*$/i;
const setsLimit = /^\s*reset\s+statement_timeout\s*$/i;
const endsTransaction = /^\s*(commit|rollback)\s*$/i;

/**
 * Watches one connection for a database, or a line to it, that is silent: the server ends a statement by itself, and a limit that is a little longer
 * is passed only where nothing of that comes. Where a statement has lifted the server's limit there is none here.
 */
export function createAnswerLimit(milliseconds: number, onSilence: () => void) {
  let lifted: 'session' | 'transaction' | undefined;

  function note(text: string): void {
    const [isLifted, local] = liftsLimit.exec(text) ?? [];
    if (isLifted !== undefined) lifted = local ? 'transaction' : 'session';
    else if (setsLimit.test(text)) lifted = undefined;
  }

  return (text: string, answer: Promise<unknown>): void => {
    note(text);
    const isUnlimited = lifted !== undefined;
    if (lifted === 'transaction' && endsTransaction.test(text)) lifted = undefined;
    if (isUnlimited) return;
    let isAnswered = false;
    // A process that stood still reads first what has come meanwhile.
    const look = () => setImmediate(() => !isAnswered && onSilence());
    const timer = setTimeout(look, milliseconds).unref();
    const done = () => {
      isAnswered = true;
      clearTimeout(timer);
    };
    answer.then(done, done);
  };
}
