/** Marks the place of the error of the last run in the editor. */
import { useEffect } from 'react';
import { explainOffset } from '../run/explain-sql.ts';
import type { RunState } from '../run/run-state.ts';
import type { Editor } from './create-editor.ts';

/** Returns the place of an error in the text of the editor; undefined if PostgreSQL names none. */
export function errorOffset(state: RunState): number | undefined {
  if (state.kind !== 'ended' || state.ending.kind !== 'ran') return undefined;
  const { origin } = state;
  const place = state.ending.result.error?.offset ?? undefined;
  if (place === undefined) return undefined;
  const added = origin.mode === 'run' ? 0 : explainOffset(origin.mode);
  return origin.offset + Math.max(0, place - added);
}

/** @param draftId the mark belongs to the text of this query */
export function useErrorMark(editor: Editor | undefined, draftId: string, state: RunState): void {
  useEffect(() => {
    if (!editor || draftId === '') return;
    const offset = errorOffset(state);
    const isRan = state.kind === 'ended' && state.ending.kind === 'ran';
    const message = isRan && state.ending.kind === 'ran' ? (state.ending.result.error?.message ?? '') : '';
    editor.markError(offset === undefined ? null : { offset, message });
  }, [editor, draftId, state]);
}
