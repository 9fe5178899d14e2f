/** Loads the editor, which then replaces the text area, with its text, its selection and its focus. */
import { type RefObject, useEffect, useRef, useState } from 'react';
import { retriableImport } from '../../../../lib/modules/retriable-import.ts';
import type { Editor, EditorOptions } from './create-editor.ts';

const loadEditor = retriableImport(() => import('./create-editor.ts'));
const RETRY_MS = 5000;

/** Elements and callbacks of the editor. */
interface EditorParts extends Omit<EditorOptions, 'host' | 'text' | 'selection'> {
  textArea: RefObject<HTMLTextAreaElement | null>;
  host: RefObject<HTMLDivElement | null>;
  /** Whether the text area has its text. */
  isReady: boolean;
}

/** Returns the editor; undefined until it is loaded, and for browsers that cannot load it. */
export function useEditor({ isReady, ...parts }: EditorParts): Editor | undefined {
  const [editor, setEditor] = useState<Editor>();
  const latest = useRef(parts);
  useEffect(() => {
    latest.current = parts;
  });
  useEffect(() => {
    if (!isReady) return;
    let isLeft = false;
    let created: Editor | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const load = () => {
      loadEditor().then(
        ({ createEditor }) => {
          if (isLeft) return;
          created = replaceTextArea(createEditor, latest);
          setEditor(created);
        },
        () => {
          timer = setTimeout(load, RETRY_MS);
        },
      );
    };
    load();
    return () => {
      isLeft = true;
      clearTimeout(timer);
      created?.destroy();
      setEditor(undefined);
    };
  }, [isReady]);
  return editor;
}

type Create = (options: EditorOptions) => Editor;

function replaceTextArea(
  create: Create,
  latest: RefObject<Omit<EditorParts, 'isReady'>>,
): Editor | undefined {
  const { textArea, host, label, placeholder, description } = latest.current;
  const [area, element] = [textArea.current, host.current];
  if (!area || !element) return undefined;
  const hadFocus = document.activeElement === area;
  const { value, selectionStart, selectionEnd, selectionDirection } = area;
  const isBackward = selectionDirection === 'backward';
  const editor = create({
    host: element,
    text: value,
    selection: {
      anchor: isBackward ? selectionEnd : selectionStart,
      head: isBackward ? selectionStart : selectionEnd,
    },
    label,
    placeholder,
    description,
    onChange: (text) => latest.current.onChange(text),
    onSelect: (hasSelection) => latest.current.onSelect(hasSelection),
    onRun: () => latest.current.onRun(),
    onRunAll: () => latest.current.onRunAll(),
    onEscape: () => latest.current.onEscape(),
  });
  area.hidden = true;
  element.hidden = false;
  if (hadFocus) editor.focus();
  return editor;
}
