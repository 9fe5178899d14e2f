/** The live board of the home page: shared notes of all users, and the user's private notes. */
import {
  Alert,
  Button,
  type Claims,
  EmptyState,
  Icon,
  type MaybePromise,
  picturePath,
  useTexts,
} from 'greenroom/app';
import { useId, useState } from 'react';
import { useRevalidator } from 'react-router';
import { boardTexts } from '../../texts/board.ts';
import type { BoardLoad, BoardOutcome } from './board.server.ts';
import { type BoardData, type BoardProblem, MAX_NOTES } from './board-data.ts';
import { conflictsOf, countWaiting, type RemoteChange, shownNotes } from './board-state.ts';
import { Composer } from './composer.tsx';
import type { Choice } from './conflict.ts';
import { ConflictCard } from './conflict-card.tsx';
import { ConnectionBadge } from './connection-badge.tsx';
import type { ChangeEdit } from './edit.ts';
import { createFormHandler } from './form-handler.ts';
import { NoteGrid } from './note-grid.tsx';
import { NotesLoading } from './notes-loading.tsx';
import { boardName, type Person, UNSAVED_NOTE, writersOf } from './people.ts';
import { PresenceAvatars } from './presence-avatars.tsx';
import { focusNote, useActivity } from './use-activity.ts';
import { useBoard } from './use-board.ts';
import { useNow } from './use-now.ts';

/** `outcome` is the result of a form without scripts. */
interface BoardProps {
  user: Claims;
  load: BoardLoad;
  outcome: BoardOutcome | undefined;
}

/** Shows the board of a user. */
export function Board({ user, load, outcome }: BoardProps) {
  const self = { id: user.sub, name: boardName(user), picture: picturePath(user.user_metadata) };
  return <LiveBoard key={self.id} self={self} data={load.board} now={load.now} outcome={outcome} />;
}

interface LiveBoardProps {
  self: Person;
  data: MaybePromise<BoardData>;
  now: number;
  outcome: BoardOutcome | undefined;
}

function LiveBoard({ self, data, now: loadedAt, outcome }: LiveBoardProps) {
  const texts = useTexts(boardTexts);
  const titleId = useId();
  const { state, dispatch, notifyWriting } = useBoard(self, data);
  const notes = shownNotes(state);
  const activity = useActivity(notes, outcome);
  const handleForm = createFormHandler(dispatch);
  const now = useNow(loadedAt);
  return (
    <section aria-labelledby={titleId} className="grid gap-4">
      <header className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <div>
          <h2 id={titleId} className="text-title font-semibold">
            {texts.title}
          </h2>
          <p className="text-body text-ink-muted">{texts.lead}</p>
        </div>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <ConnectionBadge connection={state.connection} unsentCount={countWaiting(state)} />
          <PresenceAvatars people={state.people} />
        </div>
      </header>
      {state.connection === 'offline' && <Alert kind="warning">{texts.offlineText}</Alert>}
      <Conflicts state={state} outcome={outcome} dispatch={dispatch} />
      <Failure state={state} outcome={outcome} />
      {state.problem !== 'notSetUp' && (
        <Composer
          handleForm={handleForm}
          outcome={outcome}
          writers={writersOf(UNSAVED_NOTE, state.writers, state.people).map(
            ({ name }) => name || texts.guest,
          )}
          onWrite={(isWriting) => notifyWriting(isWriting ? UNSAVED_NOTE : undefined)}
        />
      )}
      {state.problem && <Problem problem={state.problem} />}
      {state.isLoading && notes.length === 0 && <NotesLoading />}
      {!state.problem && !state.isLoading && notes.length === 0 && (
        <div className="card">
          <EmptyState icon="lucide:sticky-note" title={texts.emptyTitle} text={texts.emptyText} level={3} />
        </div>
      )}
      <NoteGrid {...{ state, notes, now, outcome, handleForm, activity }} onWrite={notifyWriting} />
      {state.isTruncated && <p className="text-small text-ink-muted">{texts.truncated(MAX_NOTES)}</p>}
      <Announcement change={state.remoteChange} />
      <PreloadedIcons />
    </section>
  );
}

type BoardHandle = ReturnType<typeof useBoard>;

/** Conflicts of this page, and one that the server has found for a form without scripts. */
function Conflicts(props: Pick<BoardHandle, 'state' | 'dispatch'> & Pick<BoardProps, 'outcome'>) {
  const { state, dispatch, outcome } = props;
  const [isChosen, setIsChosen] = useState(false);
  const conflict = outcome?.kind === 'conflict' && !isChosen ? outcome : undefined;
  const choose = (edit: ChangeEdit, choice: Choice) => {
    dispatch({ type: 'chosen', edit, choice, noteId: crypto.randomUUID(), now: Date.now() / 1000 });
    focusNote(edit.noteId);
  };
  return (
    <>
      {conflict && (
        <ConflictCard
          edit={conflict.edit}
          theirs={conflict.theirs}
          onChoose={(choice) => {
            setIsChosen(true);
            dispatch({ type: 'edited', edit: conflict.edit });
            choose(conflict.edit, choice);
          }}
        />
      )}
      {conflictsOf(state).map((edit) => (
        <ConflictCard
          key={edit.id}
          edit={edit}
          theirs={state.notes.find(({ id }) => id === edit.noteId)}
          onChoose={(choice) => choose(edit, choice)}
        />
      ))}
    </>
  );
}

/** An edit that the server rejected, or could not process, with the user's text. */
function Failure({ state, outcome }: Pick<BoardHandle, 'state'> & Pick<BoardProps, 'outcome'>) {
  const texts = useTexts(boardTexts);
  const failed = outcome?.kind === 'failed' ? outcome : undefined;
  const edit = state.refused ?? failed?.edit;
  if (!edit) return null;
  const hasText = 'text' in edit;
  const isUnreachable = !state.refused && failed?.reason === 'unreachable';
  return (
    <Alert kind="error">
      <p>{texts.failures[isUnreachable ? 'unreachable' : hasText ? 'notSaved' : 'refused']}</p>
      {hasText && (
        <>
          <p className="mt-1">{texts.yourText}</p>
          <p className="font-medium whitespace-pre-wrap">{edit.text}</p>
        </>
      )}
    </Alert>
  );
}

function Problem({ problem }: { problem: BoardProblem }) {
  const texts = useTexts(boardTexts);
  const { revalidate, state } = useRevalidator();
  return (
    <Alert kind="error">
      <p>{texts.loadProblems[problem]}</p>
      {problem === 'unreachable' && (
        <form className="mt-2">
          <Button
            type="submit"
            size="small"
            isPending={state === 'loading'}
            onClick={(event) => {
              event.preventDefault();
              void revalidate();
            }}
          >
            {texts.tryAgain}
          </Button>
        </form>
      )}
    </Alert>
  );
}

/** Announces changes by others to screen readers. */
function Announcement({ change }: { change: RemoteChange | undefined }) {
  const texts = useTexts(boardTexts);
  return (
    <p role="status" className="sr-only">
      {change && (
        <span key={change.count}>{texts.remoteChanges[change.kind](change.name || texts.guest)}</span>
      )}
    </p>
  );
}

/** Icons that may first be needed without a network. */
const PRELOADED_ICONS = [
  'alert',
  'lucide:cloud-upload',
  'lucide:lock',
  'lucide:lock-open',
  'lucide:pencil',
  'lucide:trash-2',
] as const;

function PreloadedIcons() {
  return (
    <span hidden>
      {PRELOADED_ICONS.map((name) => (
        <Icon key={name} name={name} />
      ))}
    </span>
  );
}
