/**
 * A conflict between the user's text of a note and that of another user. Both are kept until the user
 * chooses.
 */
import { Button, Icon, useTexts } from 'greenroom/app';
import { useEffect, useId, useRef } from 'react';
import { boardTexts } from '../../texts/board.ts';
import { ActionForm } from './action-form.tsx';
import { type Choice, conflictElementId, parseChoice } from './conflict.ts';
import type { ChangeEdit } from './edit.ts';
import type { Note, NoteContent } from './note.ts';
import { NOTE_CLASSES } from './note-classes.ts';
import { editFields } from './note-editor.tsx';

/** `theirs` is the current note; undefined if it was deleted. */
export function ConflictCard(props: {
  edit: ChangeEdit;
  theirs: Note | undefined;
  onChoose(choice: Choice): void;
}) {
  const { edit, theirs, onChoose } = props;
  const texts = useTexts(boardTexts);
  const id = useId();
  const card = useRef<HTMLElement>(null);
  useEffect(() => {
    // The card may be far from the saved note, so it receives the focus, unless the user is typing
    // elsewhere.
    if (!isWriting(document.activeElement)) card.current?.focus();
  }, []);
  return (
    <section
      ref={card}
      id={conflictElementId(edit.noteId)}
      tabIndex={-1}
      aria-labelledby={id}
      role="alert"
      className="grid scroll-mt-20 gap-3 rounded-card border border-warning-line bg-warning-wash p-4"
    >
      <div>
        <h3 id={id} className="flex items-center gap-2 text-body font-semibold text-warning-ink">
          <Icon name="alert" />
          {theirs ? texts.conflictTitle : texts.unavailableTitle}
        </h3>
        <p className="text-small">{theirs ? texts.conflictText : texts.unavailableText}</p>
      </div>
      <div className="grid gap-3 sm:grid-cols-2">
        <Version label={texts.yourVersion} content={edit} />
        {theirs && <Version label={texts.currentVersion} content={theirs} />}
      </div>
      <ActionForm
        intent="choose"
        fields={{
          ...(theirs ? editFields(theirs) : { note: edit.noteId, shared: 'no' }),
          text: edit.text,
          color: edit.color,
        }}
        onSend={(form) => {
          const choice = parseChoice(form.get('choice'));
          if (choice) onChoose(choice);
        }}
        className="flex flex-wrap gap-2"
      >
        {theirs && (
          <Button type="submit" name="choice" value="mine" size="small">
            {texts.useYourVersion}
          </Button>
        )}
        <Button type="submit" name="choice" value="theirs" size="small">
          {theirs ? texts.useCurrentVersion : texts.discardText}
        </Button>
        <Button type="submit" name="choice" value="both" size="small" variant="primary">
          {theirs ? texts.keepBoth : texts.saveAsNewNote}
        </Button>
      </ActionForm>
    </section>
  );
}

function isWriting(element: Element | null): boolean {
  return element instanceof HTMLTextAreaElement || element instanceof HTMLInputElement;
}

function Version({ label, content }: { label: string; content: NoteContent }) {
  return (
    <figure className="grid content-start gap-1">
      <figcaption className="text-caption font-medium">{label}</figcaption>
      <p
        className={`rounded-control border px-3 py-2 text-body whitespace-pre-wrap [overflow-wrap:anywhere]
          ${NOTE_CLASSES[content.color]}`}
      >
        {content.text}
      </p>
    </figure>
  );
}
