/** The notes, each as a card, or as its editor. */
import { boardTexts } from '../texts/board.ts';
import { useTexts } from '../texts/use-texts.ts';
import type { BoardOutcome } from './board.server.ts';
import { type BoardState, isWaiting } from './board-state.ts';
import type { Note } from './note.ts';
import { NoteCard } from './note-card.tsx';
import { NoteEditor } from './note-editor.tsx';
import { writersOf } from './people.ts';
import type { Perform } from './perform.ts';
import { type Activity, noteElementId, withEdited } from './use-activity.ts';

/** What the list needs. */
export interface NoteGridProps {
  state: BoardState;
  /** As the person sees them. */
  notes: readonly Note[];
  now: number;
  outcome: BoardOutcome | undefined;
  activity: Activity;
  perform: Perform;
  onWrite(noteId: string | undefined): void;
}

/** See the head of this file. */
export function NoteGrid(props: NoteGridProps) {
  const { state, notes, now, outcome, activity, perform, onWrite } = props;
  const texts = useTexts(boardTexts);
  const shown = withEdited(notes, activity.edited);
  if (shown.length === 0) return null;
  return (
    <ul aria-label={texts.notes} className="grid grid-cols-1 gap-4 sm:grid-cols-2 lg:grid-cols-3">
      {shown.map((note) => {
        const edited = activity.edited.find(({ id }) => id === note.id);
        return (
          <li key={note.id} id={noteElementId(note.id)} tabIndex={-1} className="rounded-card">
            {edited ? (
              <NoteEditor
                note={edited}
                outcome={outcome}
                perform={perform}
                onWrite={onWrite}
                onClose={() => activity.endEdit(note.id)}
              />
            ) : (
              <NoteCard
                note={note}
                isOwn={note.ownerId === state.self.id}
                isWaiting={isWaiting(state, note.id)}
                writers={writersOf(note.id, state.writers, state.people).map(
                  ({ name }) => name || texts.guest,
                )}
                now={now}
                isAsked={activity.asked === note.id}
                perform={perform}
                onEdit={() => activity.beginEdit(note)}
                onAsk={(isAsked) => activity.ask(isAsked ? note.id : undefined)}
              />
            )}
          </li>
        );
      })}
    </ul>
  );
}
