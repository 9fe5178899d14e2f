/** The board's realtime connection while its page is open. */
import type { SupabaseClient } from '@supabase/supabase-js';
import { browserSupabase, retriableImport, useIdleModule } from 'greenroom/app';
import { type Dispatch, type RefObject, useEffect, useRef } from 'react';
import type { BoardEvent } from './board-state.ts';
import type { LiveBoard } from './live.ts';
import { type Person, WRITING_NOTICE_INTERVAL_MS } from './people.ts';

/** The module that communicates with the backend, and its client. */
export type LiveModule = typeof import('./live.ts') & { client: SupabaseClient };

const loadCode = retriableImport(() => import('./live.ts'));

async function loadLive(): Promise<LiveModule> {
  const [code, client] = await Promise.all([loadCode(), browserSupabase()]);
  return { ...code, client };
}

/** Loads the module when the browser is idle, since it is large. */
export function useLiveModule(isOnline: boolean): LiveModule | undefined {
  return useIdleModule(loadLive, isOnline);
}

/** Dependencies of {@link useLive}. */
interface LiveSettings {
  module: LiveModule | undefined;
  isOnline: boolean;
  self: Person;
  dispatch: Dispatch<BoardEvent>;
}

/**
 * Connects to the channel. Returns a function that reports which note the user is writing, or undefined
 * when they have stopped.
 */
export function useLive({ module, isOnline, self, dispatch }: LiveSettings) {
  const live = useRef<LiveBoard>(undefined);
  const { id, name, picture } = self;
  const wasOffline = useRef(false);
  useEffect(() => {
    if (!isOnline) {
      wasOffline.current = true;
      dispatch({ type: 'connection', connection: 'offline' });
      return;
    }
    dispatch({ type: 'connection', connection: wasOffline.current ? 'reconnecting' : 'connecting' });
    if (!module) return;
    const joined = module.joinBoard(module.client, { id, name, picture }, dispatch);
    live.current = joined;
    return () => {
      live.current = undefined;
      joined.leave();
    };
  }, [module, isOnline, id, name, picture, dispatch]);
  return useThrottledWriting(live);
}

/** Limits the rate of writing notices. */
function useThrottledWriting(live: RefObject<LiveBoard | undefined>): LiveBoard['notifyWriting'] {
  const last = useRef({ noteId: undefined as string | undefined, at: 0 });
  return (noteId) => {
    const now = Date.now();
    const isSame = noteId === last.current.noteId;
    if (isSame && (noteId === undefined || now - last.current.at < WRITING_NOTICE_INTERVAL_MS)) return;
    last.current = { noteId, at: now };
    live.current?.notifyWriting(noteId);
  };
}
