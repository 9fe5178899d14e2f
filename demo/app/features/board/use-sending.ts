/** Sends edits one at a time, in their order. */
import { backoffDelay } from 'greenroom/app';
import { type Dispatch, type RefObject, useEffect } from 'react';
import type { BoardEvent, BoardState } from './board-state.ts';
import { nextEdit } from './edit-queue.ts';
import type { EditStorage } from './edit-storage.ts';
import type { LiveModule } from './use-live.ts';

/** Dependencies of {@link useSending}. */
interface SendingSettings {
  module: LiveModule | undefined;
  isOnline: boolean;
  state: BoardState;
  storage: RefObject<EditStorage | undefined>;
  dispatch: Dispatch<BoardEvent>;
}

/** Sends the next edit. After failures, the delay increases. */
export function useSending({ module, isOnline, state, storage, dispatch }: SendingSettings): void {
  const edit = state.sending === undefined ? nextEdit(state.edits) : undefined;
  const personId = state.self.id;
  const wait = backoffDelay(state.failures);
  useEffect(() => {
    if (!module || !isOnline || !edit) return;
    const timer = setTimeout(async () => {
      dispatch({ type: 'sending', id: edit.id });
      const outcome = await module.sendOwnEdit(module.client, personId, edit);
      // Updates the storage here, because a page that was closed meanwhile handles no events.
      if (outcome.kind === 'done') storage.current?.save([edit], []);
      dispatch({ type: 'sent', edit, outcome });
    }, wait);
    return () => clearTimeout(timer);
  }, [module, isOnline, edit, personId, wait, storage, dispatch]);
}
