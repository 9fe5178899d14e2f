/** One note: text, owner and actions. */
import { Avatar, Button, Icon, usePictureUrl, useTexts } from 'greenroom/app';
import { Age } from 'greenroom/app/ui/age';
import { IconButton, type IconButtonProps } from 'greenroom/app/ui/icon-button';
import { Tooltip } from 'greenroom/app/ui/tooltip';
import { type MouseEvent, type ReactNode, useEffect, useRef } from 'react';
import { Form } from 'react-router';
import { boardTexts } from '../../texts/board.ts';
import { ActionForm } from './action-form.tsx';
import { conflictElementId } from './conflict.ts';
import type { FormHandler } from './form-handler.ts';
import type { Note } from './note.ts';
import { NoteBody } from './note-body.tsx';
import { NOTE_CLASSES } from './note-classes.ts';
import { Writers } from './writers.tsx';

interface NoteCardProps {
  note: Note;
  /** Path of the owner's picture, known while they are present. */
  picture: string | undefined;
  isOwn: boolean;
  /** The note has edits that are not sent yet. */
  isWaiting: boolean;
  /** Another user has changed the note, too: the user has to choose. */
  hasConflict: boolean;
  /** Names of users who are editing the note. */
  writers: readonly string[];
  now: number;
  /** The confirmation for the deletion is open. */
  isConfirmingDelete: boolean;
  handleForm: FormHandler;
  onEdit(): void;
  onConfirmDelete(isConfirmingDelete: boolean): void;
}

/** The frame of a note or its editor. */
export function NoteFrame({ note, children }: { note: Pick<Note, 'color'>; children: ReactNode }) {
  return (
    <div
      className={`flex h-full min-h-32 flex-col gap-3 rounded-card border p-4 shadow-low ${NOTE_CLASSES[note.color]}`}
    >
      {children}
    </div>
  );
}

/** Shows a note. */
export function NoteCard(props: NoteCardProps) {
  const { note, writers, isConfirmingDelete } = props;
  return (
    <NoteFrame note={note}>
      <NoteBody text={note.text} />
      <Writers names={writers} />
      {isConfirmingDelete ? <DeleteConfirmation {...props} /> : <Footer {...props} />}
    </NoteFrame>
  );
}

function Footer({
  note,
  picture,
  isOwn,
  isWaiting,
  hasConflict,
  now,
  handleForm,
  onEdit,
  onConfirmDelete,
}: NoteCardProps) {
  const texts = useTexts(boardTexts);
  const name = note.ownerName || texts.guest;
  const src = usePictureUrl(picture);
  const handleInPage = (begin: () => void) => (event: MouseEvent) => {
    event.preventDefault();
    begin();
  };
  return (
    <footer className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
      <p className="flex min-w-0 items-center gap-2 text-small text-ink-muted">
        <Avatar name={name} src={src} size="xs" />
        <span className="truncate font-medium text-ink">{isOwn ? texts.you : name}</span>
        {hasConflict ? (
          <a
            href={`#${conflictElementId(note.id)}`}
            className="font-medium whitespace-nowrap text-ink underline underline-offset-2"
          >
            {texts.chooseVersion}
          </a>
        ) : isWaiting ? (
          <span className="flex items-center gap-1 whitespace-nowrap">
            <Icon name="lucide:cloud-upload" className="size-3.5" />
            {texts.notSent}
          </span>
        ) : (
          <Age seconds={note.createdAt} now={now} />
        )}
        {!note.isShared && (
          <span className="flex items-center gap-1 whitespace-nowrap">
            <Icon name="lucide:lock" className="size-3.5" />
            {texts.private}
          </span>
        )}
      </p>
      <div className="-me-2 -my-1 ms-auto flex">
        {isOwn && (
          <ActionForm
            intent="share"
            fields={{ note: note.id, shared: note.isShared ? 'no' : 'yes' }}
            onSend={handleForm}
          >
            <Action
              icon={note.isShared ? 'lucide:lock' : 'lucide:lock-open'}
              label={note.isShared ? texts.unshare : texts.share}
            />
          </ActionForm>
        )}
        {/* Without scripts, a search parameter selects the note to edit. */}
        <Form method="get" action="/" className="flex">
          <Action
            name="edit"
            value={note.id}
            icon="lucide:pencil"
            label={texts.edit}
            onClick={handleInPage(onEdit)}
          />
          {isOwn && (
            <Action
              name="delete"
              value={note.id}
              icon="lucide:trash-2"
              label={texts.delete}
              onClick={handleInPage(() => onConfirmDelete(true))}
            />
          )}
        </Form>
      </div>
    </footer>
  );
}

function Action(props: IconButtonProps) {
  return (
    <Tooltip text={props.label}>
      <IconButton {...props} type="submit" />
    </Tooltip>
  );
}

/** Inside of the card, so that it works without scripts and without a network. */
function DeleteConfirmation({ note, handleForm, onConfirmDelete }: NoteCardProps) {
  const texts = useTexts(boardTexts);
  const cancelButton = useRef<HTMLButtonElement>(null);
  useEffect(() => cancelButton.current?.focus(), []);
  return (
    <fieldset onKeyDown={({ key }) => key === 'Escape' && onConfirmDelete(false)}>
      <legend className="mb-2 text-small font-medium">{texts.deleteQuestion}</legend>
      <div className="flex flex-wrap gap-2">
        <ActionForm
          intent="delete"
          fields={{ note: note.id }}
          onSend={(form) => {
            onConfirmDelete(false);
            handleForm(form);
          }}
        >
          <Button type="submit" variant="danger" size="small">
            {texts.confirmDelete}
          </Button>
        </ActionForm>
        <Form
          method="get"
          action="/"
          onSubmit={(event) => {
            event.preventDefault();
            onConfirmDelete(false);
          }}
        >
          <Button ref={cancelButton} type="submit" size="small">
            {texts.cancel}
          </Button>
        </Form>
      </div>
    </fieldset>
  );
}
