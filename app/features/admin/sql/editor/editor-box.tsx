/** The box of the editor: the text area of the server, and the host of the editor that replaces it. */
import type { RefObject } from 'react';
import { adminSqlTexts } from '../../../../texts/admin-sql.ts';
import { useTexts } from '../../../../texts/use-texts.ts';

/** Props of {@link EditorBox}. */
interface EditorBoxProps {
  textArea: RefObject<HTMLTextAreaElement | null>;
  host: RefObject<HTMLDivElement | null>;
  /** Text of the first render. */
  text: string;
  onChange(text: string): void;
}

/** Its height can be changed by the visitor. */
export function EditorBox({ textArea, host, text, onChange }: EditorBoxProps) {
  const texts = useTexts(adminSqlTexts);
  return (
    <div className="h-72 max-h-[75vh] min-h-40 resize-y overflow-hidden rounded-control border border-line-strong bg-surface focus-within:border-focus">
      <textarea
        ref={textArea}
        name="sql"
        aria-label={texts.editor}
        placeholder={texts.placeholder}
        defaultValue={text}
        onInput={(event) => onChange(event.currentTarget.value)}
        spellCheck={false}
        autoCapitalize="off"
        autoCorrect="off"
        className="block h-full w-full resize-none bg-surface px-3 py-2 font-mono text-small leading-6 outline-none"
      />
      <div ref={host} hidden data-own-keys className="h-full" />
    </div>
  );
}
