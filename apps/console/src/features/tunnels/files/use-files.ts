import { buildPath, type FileCollision, type FileFailure } from '@pult/contract';
import { useCallback, useEffect, useRef, useState } from 'react';
import { saveFrom } from '../../../shared/save-file.ts';
import { FileRefusal, type FilesSession, type Listing, openFilesSession } from './files-session.ts';

export interface Transfer {
  id: number;
  kind: 'upload' | 'download';
  name: string;
  /** Null where the device does not know. */
  size: number | null;
  bytes: number;
  state: 'waiting' | 'running' | 'done' | FileFailure;
  cancel: () => void;
}

export interface Collision {
  name: string;
  /** `undefined` leaves this file out; `all` decides for the rest, too. */
  answer: (choice: Exclude<FileCollision, 'ask'> | undefined, all: boolean) => void;
}

const codeOf = (error: unknown): FileFailure => (error instanceof FileRefusal ? error.code : 'failed');

/** The files of a controller, by the login of a running terminal. */
export function useFiles(serialNumber: string, resumeToken: string | undefined) {
  const session = useRef<FilesSession | undefined>(undefined);
  const [folder, setFolder] = useState<Listing>();
  const [failure, setFailure] = useState<FileFailure>();
  const [isLoading, setLoading] = useState(false);
  const [transfers, setTransfers] = useState<readonly Transfer[]>([]);
  const [collision, setCollision] = useState<Collision>();
  const lastId = useRef(0);
  const lastGo = useRef(0);
  /** The folder that is shown. */
  const place = useRef<string | undefined>(undefined);
  /** Uploads go one after the other. */
  const queue = useRef(Promise.resolve());
  const rule = useRef<{ choice: Exclude<FileCollision, 'ask'> | undefined } | undefined>(undefined);

  /** Made when it is needed, and again after it broke. */
  const files = useCallback((): FilesSession => {
    if (resumeToken === undefined) throw new FileRefusal('session_gone');
    if (!session.current || session.current.isClosed) session.current = openFilesSession(resumeToken);
    return session.current;
  }, [resumeToken]);

  /** Whether this has led to the folder: not when there is none, nor when somebody has gone elsewhere since. */
  const go = useCallback(
    async (path: string): Promise<boolean> => {
      lastGo.current += 1;
      const mine = lastGo.current;
      setLoading(true);
      try {
        const listing = await files().list(path);
        const isLast = mine === lastGo.current;
        // A late one is better than none: the folder asked for since may not be there.
        if (!isLast && place.current !== undefined) return false;
        place.current = listing.path;
        setFolder(listing);
        if (isLast) setFailure(undefined);
        return isLast;
      } catch (error) {
        if (mine === lastGo.current) setFailure(codeOf(error));
        return false;
      } finally {
        if (mine === lastGo.current) setLoading(false);
      }
    },
    [files],
  );
  useEffect(() => {
    if (resumeToken !== undefined) void go('');
    return () => session.current?.close();
  }, [go, resumeToken]);

  const change = useCallback((id: number, changed: Partial<Transfer>) => {
    setTransfers((all) => all.map((each) => (each.id === id ? { ...each, ...changed } : each)));
  }, []);
  const add = useCallback((transfer: Omit<Transfer, 'id' | 'bytes'>) => {
    lastId.current += 1;
    const id = lastId.current;
    setTransfers((all) => [{ ...transfer, id, bytes: 0 }, ...all]);
    return id;
  }, []);

  const download = useCallback(
    async (path: string) => {
      try {
        let id = 0;
        const begun = await files().download(path, (bytes) => change(id, { bytes }));
        const { offer, done, cancel } = begun;
        id = add({ kind: 'download', name: offer.name, size: offer.size, state: 'running', cancel });
        saveFrom(buildPath('downloadTerminalFile', { serialNumber, transferId: offer.transferId }));
        done.then(
          () => change(id, { state: 'done', bytes: offer.size ?? 0 }),
          (error: unknown) => change(id, { state: codeOf(error) }),
        );
      } catch (error) {
        // A link may lead to a folder.
        if (codeOf(error) === 'not_a_file') await go(path);
        else setFailure(codeOf(error));
      }
    },
    [files, add, change, go, serialNumber],
  );

  const askAbout = useCallback(
    (name: string) =>
      new Promise<Exclude<FileCollision, 'ask'> | undefined>((resolve) => {
        if (rule.current) return resolve(rule.current.choice);
        setCollision({
          name,
          answer(choice, all) {
            if (all) rule.current = { choice };
            setCollision(undefined);
            resolve(choice);
          },
        });
      }),
    [],
  );

  const upload = useCallback(
    (chosen: readonly File[], into: string) => {
      rule.current = undefined;
      for (const file of chosen) {
        const stop = new AbortController();
        const cancel = () => stop.abort();
        const id = add({ kind: 'upload', name: file.name, size: file.size, state: 'waiting', cancel });
        const send = (how: FileCollision) =>
          files().upload(
            file,
            { folder: into, collision: how },
            (bytes) => change(id, { bytes }),
            stop.signal,
          );
        const run = async () => {
          if (stop.signal.aborted) throw new FileRefusal('cancelled');
          change(id, { state: 'running' });
          try {
            await send('ask');
          } catch (error) {
            if (codeOf(error) !== 'exists') throw error;
            const choice = await askAbout(file.name);
            if (choice === undefined) throw new FileRefusal('cancelled');
            await send(choice);
          }
        };
        queue.current = queue.current.then(run).then(
          () => change(id, { state: 'done', bytes: file.size }),
          (error: unknown) => change(id, { state: codeOf(error) }),
        );
      }
      // Whoever is elsewhere by then stays there.
      void queue.current.then(() => (place.current === into ? go(into) : undefined));
    },
    [add, askAbout, change, files, go],
  );

  const clear = useCallback(() => {
    setTransfers((all) => all.filter(({ state }) => state === 'waiting' || state === 'running'));
  }, []);
  return { folder, failure, isLoading, transfers, collision, go, download, upload, clear };
}
