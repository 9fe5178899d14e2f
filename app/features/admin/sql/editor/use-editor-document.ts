/** The text of the open query, in the editor or, until that is loaded, in the text area. */
import { type RefObject, useEffect, useMemo, useRef } from 'react';
import type { Draft } from '../drafts/drafts.ts';
import type { Editor, EditorDocument } from './create-editor.ts';

/** The text that is shown. */
interface ShownDocument {
  text(): string;
  selection(): { from: number; to: number };
  goTo(offset: number): void;
}

/** Parts of {@link useEditorDocument}. */
interface DocumentParts {
  editor: Editor | undefined;
  textArea: RefObject<HTMLTextAreaElement | null>;
  active: Draft | undefined;
  /** Receives the function that shows a change of another window. */
  changedElsewhere: RefObject<(draft: Draft) => void>;
}

/** Shows the active query. Each keeps its own history of undo while the page is open. */
export function useEditorDocument({
  editor,
  textArea,
  active,
  changedElsewhere,
}: DocumentParts): ShownDocument {
  const documents = useRef(new Map<string, EditorDocument>());
  const shown = useRef<string>(undefined);
  useEffect(() => {
    if (!active || shown.current === active.id) return;
    if (editor && shown.current !== undefined) documents.current.set(shown.current, editor.save());
    const isFirst = shown.current === undefined;
    shown.current = active.id;
    if (editor && !isFirst) editor.open(documents.current.get(active.id) ?? active.sql);
    else if (textArea.current && textArea.current.value !== active.sql) textArea.current.value = active.sql;
  }, [editor, textArea, active]);
  useEffect(() => {
    changedElsewhere.current = (draft) => {
      if (draft.id !== shown.current) documents.current.delete(draft.id);
      else if (editor) editor.replace(draft.sql);
      else if (textArea.current) textArea.current.value = draft.sql;
    };
  }, [editor, textArea, changedElsewhere]);
  return useMemo(
    () => ({
      text: () => editor?.text() ?? textArea.current?.value ?? '',
      selection: () =>
        editor?.selection() ?? {
          from: textArea.current?.selectionStart ?? 0,
          to: textArea.current?.selectionEnd ?? 0,
        },
      goTo(offset) {
        if (editor) return editor.goTo(offset);
        textArea.current?.focus();
        textArea.current?.setSelectionRange(offset, offset);
      },
    }),
    [editor, textArea],
  );
}
