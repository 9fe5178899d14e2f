/** The board's way to the others, as long as its page is open. */
import { type Dispatch, type RefObject, useEffect, useRef } from 'react';
import { useLateModule } from '../../lib/idle/use-late-module.ts';
import { retriableImport } from '../../lib/modules/retriable-import.ts';
import { usePage } from '../../lib/page/page-context.tsx';
import type { BoardEvent } from './board-state.ts';
import type { LiveBoard } from './live.ts';
import { type Person, WRITING_TOLD_MS } from './people.ts';

/** What speaks to the backend. */
export type LiveModule = typeof import('./live.ts');

const loadLive = retriableImport(() => import('./live.ts'));

/** It is large, so it comes late. */
export function useLiveModule(isOnline: boolean): LiveModule | undefined {
  return useLateModule(loadLive, isOnline);
}

/** What {@link useLive} needs. */
interface LiveSettings {
  module: LiveModule | undefined;
  isOnline: boolean;
  self: Person;
  dispatch: Dispatch<BoardEvent>;
}

/** Hears of the others, and gives what tells them which note the person writes; without a note they have stopped. */
export function useLive({ module, isOnline, self, dispatch }: LiveSettings) {
  const { config } = usePage();
  const live = useRef<LiveBoard>(undefined);
  const { id, name, picture } = self;
  const hasBeenOffline = useRef(false);
  useEffect(() => {
    if (!isOnline) {
      hasBeenOffline.current = true;
      dispatch({ type: 'connection', connection: 'offline' });
      return;
    }
    dispatch({ type: 'connection', connection: hasBeenOffline.current ? 'reconnecting' : 'connecting' });
    if (!module) return;
    const joined = module.joinBoard(module.browserClient(config), { id, name, picture }, dispatch);
    live.current = joined;
    return () => {
      live.current = undefined;
      joined.leave();
    };
  }, [module, isOnline, config, id, name, picture, dispatch]);
  return useSometimes(live);
}

/** Not at every letter. */
function useSometimes(live: RefObject<LiveBoard | undefined>): LiveBoard['tellWriting'] {
  const told = useRef({ noteId: undefined as string | undefined, at: 0 });
  return (noteId) => {
    const now = Date.now();
    const isSame = noteId === told.current.noteId;
    if (isSame && (noteId === undefined || now - told.current.at < WRITING_TOLD_MS)) return;
    told.current = { noteId, at: now };
    live.current?.tellWriting(noteId);
  };
}
