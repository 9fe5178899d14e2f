/** The notes, each as a card or as its editor. */
import { useTexts } from 'greenroom/app';
import { boardTexts } from '../../texts/board.ts';
import type { BoardOutcome } from './board.server.ts';
import { type BoardState, hasConflict, isWaiting } from './board-state.ts';
import type { FormHandler } from './form-handler.ts';
import type { Note } from './note.ts';
import { NoteCard } from './note-card.tsx';
import { NoteEditor } from './note-editor.tsx';
import { writersOf } from './people.ts';
import { type Activity, noteElementId, withEdited } from './use-activity.ts';

interface NoteGridProps {
  state: BoardState;
  /** The notes with the user's own edits applied. */
  notes: readonly Note[];
  now: number;
  outcome: BoardOutcome | undefined;
  activity: Activity;
  handleForm: FormHandler;
  onWrite(noteId: string | undefined): void;
}

/** Class names of the grid of notes and their placeholders. */
export const NOTE_GRID = 'grid grid-cols-1 gap-4 sm:grid-cols-2 lg:grid-cols-3';

/** The grid of notes. */
export function NoteGrid(props: NoteGridProps) {
  const { state, notes, now, outcome, activity, handleForm, onWrite } = props;
  const texts = useTexts(boardTexts);
  const shown = withEdited(notes, activity.edited);
  if (shown.length === 0) return null;
  return (
    // Next to a note that is expanded or edited, the others keep their height.
    <ul aria-label={texts.notes} className={`${NOTE_GRID} has-data-tall:items-start`}>
      {shown.map((note) => {
        const edited = activity.edited.find(({ id }) => id === note.id);
        const writers = writersOf(note.id, state.writers, state.people).map(
          ({ name }) => name || texts.guest,
        );
        return (
          <li
            key={note.id}
            id={noteElementId(note.id)}
            tabIndex={-1}
            data-tall={edited && true}
            className="scroll-mt-20 rounded-card"
          >
            {edited ? (
              <NoteEditor
                note={edited}
                writers={writers}
                outcome={outcome}
                handleForm={handleForm}
                onWrite={onWrite}
                onClose={() => activity.endEdit(note.id)}
              />
            ) : (
              <NoteCard
                note={note}
                picture={state.people.find(({ id }) => id === note.ownerId)?.picture}
                isOwn={note.ownerId === state.self.id}
                isWaiting={isWaiting(state, note.id)}
                hasConflict={hasConflict(state, note.id)}
                writers={writers}
                now={now}
                isConfirmingDelete={activity.noteToDelete === note.id}
                handleForm={handleForm}
                onEdit={() => activity.beginEdit(note)}
                onConfirmDelete={(isConfirmingDelete) =>
                  activity.confirmDelete(isConfirmingDelete ? note.id : undefined)
                }
              />
            )}
          </li>
        );
      })}
    </ul>
  );
}
