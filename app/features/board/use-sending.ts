/** Sends edits, one after the other, in their order. */
import { type Dispatch, type RefObject, useEffect } from 'react';
import { waitAfterFailures } from '../../lib/back-off.ts';
import { usePage } from '../../lib/page/page-context.tsx';
import type { BoardEvent, BoardState } from './board-state.ts';
import { nextEdit } from './edit-queue.ts';
import type { EditStorage } from './edit-storage.ts';
import type { LiveModule } from './use-live.ts';

/** What {@link useSending} needs. */
interface SendingSettings {
  module: LiveModule | undefined;
  isOnline: boolean;
  state: BoardState;
  storage: RefObject<EditStorage | undefined>;
  dispatch: Dispatch<BoardEvent>;
}

/** See the head of this file. After a failure it waits, longer each time. */
export function useSending({ module, isOnline, state, storage, dispatch }: SendingSettings): void {
  const { config } = usePage();
  const edit = state.sending === undefined ? nextEdit(state.edits) : undefined;
  const personId = state.self.id;
  const wait = waitAfterFailures(state.failures);
  useEffect(() => {
    if (!module || !isOnline || !edit) return;
    const timer = setTimeout(async () => {
      dispatch({ type: 'sending', id: edit.id });
      const outcome = await module.sendOwnEdit(module.browserClient(config), personId, edit);
      // The page may be gone by now, and nobody else would know.
      if (outcome.kind === 'done') storage.current?.save([edit], []);
      dispatch({ type: 'sent', edit, outcome });
    }, wait);
    return () => clearTimeout(timer);
  }, [module, isOnline, edit, personId, wait, config, storage, dispatch]);
}
