/** The editor of a note, in place of its card. */
import { Button, useTexts } from 'greenroom/app';
import { buttonClass } from 'greenroom/app/ui/button';
import { useEffect, useRef, useState } from 'react';
import { Form } from 'react-router';
import { boardTexts } from '../../texts/board.ts';
import { ActionForm } from './action-form.tsx';
import type { BoardOutcome } from './board.server.ts';
import type { FormHandler } from './form-handler.ts';
import type { Note } from './note.ts';
import { NoteFrame } from './note-card.tsx';
import { ColorChoice, NoteText } from './note-fields.tsx';
import { Writers } from './writers.tsx';

interface NoteEditorProps {
  /** The note as it was when the user began the edit. */
  note: Note;
  /** Names of other users who are editing the note. */
  writers: readonly string[];
  /** The server's response to this form, without scripts. */
  outcome: BoardOutcome | undefined;
  handleForm: FormHandler;
  onWrite(noteId: string | undefined): void;
  onClose(): void;
}

/** The form to edit a note. */
export function NoteEditor({ note, writers, outcome, handleForm, onWrite, onClose }: NoteEditorProps) {
  const texts = useTexts(boardTexts);
  const serverProblem = outcome?.kind === 'problem' && outcome.noteId === note.id ? outcome : undefined;
  const [problem, setProblem] = useState(serverProblem?.problem);
  const formId = `cancel-${note.id}`;
  const text = useFocus();
  useStopOnUnmount(onWrite);
  const send = (form: FormData) => {
    const newProblem = handleForm(form);
    setProblem(newProblem);
    if (newProblem) text.current?.focus();
    else onClose();
  };
  return (
    <NoteFrame note={note}>
      <ActionForm intent="change" fields={editFields(note)} onSend={send} className="grid gap-3">
        <NoteText
          ref={text}
          label={texts.text}
          defaultValue={serverProblem?.typed.text ?? note.text}
          problem={problem}
          onEscape={onClose}
          onWrite={() => onWrite(note.id)}
        />
        <Writers names={writers} />
        <div className="flex flex-wrap items-center justify-between gap-3">
          <ColorChoice chosen={serverProblem?.typed.color ?? note.color} />
          <div className="ms-auto flex gap-2">
            <button type="submit" form={formId} className={buttonClass({ size: 'small' })}>
              {texts.cancel}
            </button>
            <Button type="submit" variant="primary" size="small">
              {texts.save}
            </Button>
          </div>
        </div>
      </ActionForm>
      <Form
        id={formId}
        hidden
        method="get"
        action="/"
        onSubmit={(event) => {
          event.preventDefault();
          onClose();
        }}
      />
    </NoteFrame>
  );
}

/** Returns hidden fields with the base of an edit, so that the server can detect a concurrent change. */
export function editFields({ id, version, text, color, isShared }: Note): Record<string, string> {
  return {
    note: id,
    version: String(version),
    baseText: text,
    baseColor: color,
    shared: isShared ? 'yes' : 'no',
  };
}

function useFocus() {
  const text = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    text.current?.focus();
    text.current?.setSelectionRange(text.current.value.length, text.current.value.length);
  }, []);
  return text;
}

/** Reports that the user has stopped writing when the editor closes. */
function useStopOnUnmount(onWrite: NoteEditorProps['onWrite']): void {
  const latest = useRef(onWrite);
  useEffect(() => {
    latest.current = onWrite;
  });
  useEffect(() => () => latest.current(undefined), []);
}
