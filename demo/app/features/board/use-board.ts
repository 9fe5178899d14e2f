/**
 * Connects the board's state with the realtime connection, the sending of edits and the browser's storage.
 */
import { type MaybePromise, useOnline } from 'greenroom/app';
import { type Dispatch, useEffect, useReducer } from 'react';
import type { BoardData } from './board-data.ts';
import { type BoardEvent, type BoardState, initialBoardState, reduceBoard } from './board-state.ts';
import type { Person } from './people.ts';
import { useLive, useLiveModule } from './use-live.ts';
import { useSending } from './use-sending.ts';
import { useStoredEdits } from './use-stored-edits.ts';

/** State and functions for components. */
interface BoardHandle {
  state: BoardState;
  dispatch: Dispatch<BoardEvent>;
  /** Reports that the user is writing a note, or has stopped (undefined). */
  notifyWriting(noteId: string | undefined): void;
}

/** Returns the board's state. A new `data` is a newer list, or a promise of it. */
export function useBoard(self: Person, data: MaybePromise<BoardData>): BoardHandle {
  const [state, dispatch] = useReducer(reduceBoard, undefined, () =>
    initialBoardState(self, data instanceof Promise ? undefined : data),
  );
  const isOnline = useOnline();
  const module = useLiveModule(isOnline);
  const storage = useStoredEdits(self.id, state.edits, dispatch);
  const notifyWriting = useLive({ module, isOnline, self, dispatch });
  useSending({ module, isOnline, state, storage, dispatch });
  useLoadedNotes(data, dispatch);
  useWriterExpiry(state, dispatch);
  return { state, dispatch, notifyWriting };
}

function useLoadedNotes(data: MaybePromise<BoardData>, dispatch: Dispatch<BoardEvent>): void {
  useEffect(() => {
    let isCancelled = false;
    const dispatchRead = (read: BoardData) => isCancelled || dispatch({ type: 'read', data: read });
    // The promise rejects if the stream of the page breaks.
    Promise.resolve(data).then(dispatchRead, () => dispatchRead({ kind: 'problem', problem: 'unreachable' }));
    return () => {
      isCancelled = true;
    };
  }, [data, dispatch]);
}

/** Removes writers whose notices have expired. */
function useWriterExpiry({ writers }: BoardState, dispatch: Dispatch<BoardEvent>): void {
  useEffect(() => {
    if (writers.length === 0) return;
    const next = Math.min(...writers.map(({ until }) => until));
    const wait = Math.max(0, next - Date.now()) + 1;
    const timer = setTimeout(() => dispatch({ type: 'tick', now: Date.now() }), wait);
    return () => clearTimeout(timer);
  }, [writers, dispatch]);
}
