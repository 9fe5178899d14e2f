/** The form for a new note. */
import { Button, useTexts } from 'greenroom/app';
import { useEffect, useRef, useState } from 'react';
import { boardTexts } from '../../texts/board.ts';
import { ActionForm } from './action-form.tsx';
import type { BoardOutcome } from './board.server.ts';
import type { FormHandler } from './form-handler.ts';
import { NEW_NOTE_ID } from './new-note.ts';
import { NOTE_COLORS } from './note.ts';
import { ColorChoice, NoteText } from './note-fields.tsx';
import { Writers } from './writers.tsx';

interface ComposerProps {
  /** Names of other users who are writing a new note. */
  writers: readonly string[];
  /** The server's response to this form, without scripts. */
  outcome: BoardOutcome | undefined;
  handleForm: FormHandler;
  /** Reports whether the user is writing a shared note. */
  onWrite(isWriting: boolean): void;
}

/** The form for a new note. */
export function Composer({ writers, outcome, handleForm, onWrite }: ComposerProps) {
  const texts = useTexts(boardTexts);
  const text = useRef<HTMLTextAreaElement>(null);
  const serverProblem = outcome?.kind === 'problem' && outcome.noteId === undefined ? outcome : undefined;
  const [problem, setProblem] = useState(serverProblem?.problem);
  useEffect(() => {
    if (location.hash !== `#${NEW_NOTE_ID}`) return;
    // Navigation first moves the focus to the new page.
    const frame = requestAnimationFrame(() => text.current?.focus());
    return () => cancelAnimationFrame(frame);
  }, []);
  // Writing a private note is not reported to others.
  const notify = () => {
    const form = text.current?.form;
    const isShared = form && new FormData(form).get('shared') === 'yes';
    onWrite(Boolean(isShared && text.current?.value.trim()));
  };
  const send = (form: FormData) => {
    const newProblem = handleForm(form);
    setProblem(newProblem);
    if (!text.current) return;
    if (!newProblem) text.current.value = '';
    notify();
    text.current.focus();
  };
  return (
    <ActionForm intent="add" onSend={send} onInput={notify} className="card grid gap-3 p-4">
      <NoteText
        ref={text}
        id={NEW_NOTE_ID}
        label={texts.newNote}
        placeholder={texts.placeholder}
        hint={texts.keyboardHint}
        hintEnd={<Writers names={writers} />}
        problem={problem}
        defaultValue={serverProblem?.typed.text}
        onEscape={() => text.current?.blur()}
      />
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <ColorChoice chosen={serverProblem?.typed.color ?? NOTE_COLORS[0]} />
        <Visibility />
        <Button type="submit" variant="primary" className="ms-auto">
          {texts.add}
        </Button>
      </div>
    </ActionForm>
  );
}

function Visibility() {
  const texts = useTexts(boardTexts);
  return (
    <fieldset className="flex h-8 rounded-control border border-line bg-sunken p-0.5 text-small">
      <legend className="sr-only">{texts.visibility}</legend>
      {(['yes', 'no'] as const).map((value) => (
        <label
          key={value}
          className="relative flex items-center rounded-[0.375rem] px-2.5 font-medium text-ink-muted transition-colors
            hover:text-ink has-checked:bg-raised has-checked:text-ink has-checked:shadow-low has-checked:ring-1
            has-checked:ring-line has-focus-visible:outline-2 has-focus-visible:outline-offset-1
            has-focus-visible:outline-focus"
        >
          <input
            type="radio"
            name="shared"
            value={value}
            defaultChecked={value === 'yes'}
            className="absolute inset-0 cursor-pointer opacity-0"
          />
          {value === 'yes' ? texts.shared : texts.private}
        </label>
      ))}
    </fieldset>
  );
}
