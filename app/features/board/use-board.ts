/** The board's state in a component, and what keeps it going: the others, the sending of edits, the browser's storage. */
import { type Dispatch, useEffect, useReducer } from 'react';
import type { Later } from '../../lib/later.ts';
import type { BoardData } from './board-data.ts';
import { type BoardEvent, type BoardState, openBoard, reduceBoard } from './board-state.ts';
import type { Person } from './people.ts';
import { useKeptEdits } from './use-kept-edits.ts';
import { useLive, useLiveModule } from './use-live.ts';
import { useOnline } from './use-online.ts';
import { useSending } from './use-sending.ts';

/** What components do with it. */
interface BoardHandle {
  state: BoardState;
  dispatch: Dispatch<BoardEvent>;
  /** To be called while the person writes, and without a note when they stop. */
  tellWriting(noteId: string | undefined): void;
}

/** See the head of this file. A new `data` is a newer list, or will be one. */
export function useBoard(self: Person, data: Later<BoardData>): BoardHandle {
  const [state, dispatch] = useReducer(reduceBoard, undefined, () =>
    openBoard(self, data instanceof Promise ? undefined : data),
  );
  const isOnline = useOnline();
  const module = useLiveModule(isOnline);
  const storage = useKeptEdits(self.id, state.edits, dispatch);
  const tellWriting = useLive({ module, isOnline, self, dispatch });
  useSending({ module, isOnline, state, storage, dispatch });
  useReading(data, dispatch);
  useForgetting(state, dispatch);
  return { state, dispatch, tellWriting };
}

function useReading(data: Later<BoardData>, dispatch: Dispatch<BoardEvent>): void {
  useEffect(() => {
    let isOver = false;
    const take = (read: BoardData) => isOver || dispatch({ type: 'read', data: read });
    // The connection that the rest of the page came by may break.
    Promise.resolve(data).then(take, () => take({ kind: 'problem', problem: 'unreachable' }));
    return () => {
      isOver = true;
    };
  }, [data, dispatch]);
}

/** Whoever stops without saying so writes no more after a while. */
function useForgetting({ writers }: BoardState, dispatch: Dispatch<BoardEvent>): void {
  useEffect(() => {
    if (writers.length === 0) return;
    const next = Math.min(...writers.map(({ until }) => until));
    const wait = Math.max(0, next - Date.now()) + 1;
    const timer = setTimeout(() => dispatch({ type: 'passed', now: Date.now() }), wait);
    return () => clearTimeout(timer);
  }, [writers, dispatch]);
}
