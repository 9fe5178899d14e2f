/** The board on the server: the notes that are visible to the visitor, and the forms without scripts. */

import type { SupabaseClient } from '@supabase/supabase-js';
import type { ActionArgs, LoaderArgs, MaybePromise } from 'greenroom/app';
import { currentUser, needsWholePage, refused, resolveWithin, supabase } from 'greenroom/app/server';
import { data, redirect } from 'react-router';
import type { BoardData } from './board-data.ts';
import { type FormRequest, readBoardForm } from './board-form.ts';
import type { Outcome } from './board-state.ts';
import { readNotes, sendEdit } from './board-table.ts';
import { mergeChange } from './conflict.ts';
import type { ChangeEdit, Edit } from './edit.ts';
import type { Note } from './note.ts';

/** The result of a form that failed. */
export type BoardOutcome =
  | Extract<FormRequest, { kind: 'problem' }>
  | { kind: 'conflict'; edit: ChangeEdit; theirs: Note | undefined }
  | { kind: 'failed'; reason: 'refused' | 'unreachable'; edit: Edit };

/** Data of the page. `now` is the time of rendering, in seconds since 1970. */
export interface BoardLoad {
  board: MaybePromise<BoardData>;
  now: number;
}

/** Maximum number of attempts if other users change the note concurrently. */
const ATTEMPTS = 3;

/** Timeout of the notes. */
const TIMEOUT_MS = 5000;

/**
 * The page waits this long for its notes; slower ones are streamed. The time is long, so that nearly every
 * page is complete without scripts, which streamed parts require.
 */
const PAGE_TIMEOUT_MS = 1000;

/** Reads the notes; undefined for a visitor without a session. */
export async function loadBoard(args: LoaderArgs): Promise<BoardLoad | undefined> {
  if (!currentUser(args.context)) return undefined;
  const notes = readNotes(await supabase(args.context), TIMEOUT_MS);
  const isWholePage = needsWholePage(args.request);
  const { value: board } = await resolveWithin(notes, isWholePage ? TIMEOUT_MS : PAGE_TIMEOUT_MS);
  return { board, now: Math.floor(Date.now() / 1000) };
}

/** Applies the form's edit, and redirects to the board. */
export async function changeBoard(args: ActionArgs, form: FormData) {
  const request = readBoardForm(form, { now: Date.now(), newId: () => crypto.randomUUID() });
  if (request === undefined || !currentUser(args.context)) {
    throw refused({ status: 400, code: 'unclearForm' });
  }
  if (request.kind === 'problem') return data<BoardOutcome>(request, { status: 422 });
  if (request.kind === 'none') return redirect('/');
  const outcome = await sendWithRetries(await supabase(args.context), request.edit);
  return outcome === undefined ? redirect('/') : data(outcome, { status: statusOf(outcome) });
}

async function sendWithRetries(
  client: SupabaseClient,
  edit: Edit,
  attempt = 1,
): Promise<BoardOutcome | undefined> {
  const outcome: Outcome = await sendEdit(client, edit);
  if (outcome.kind === 'done') return undefined;
  if (outcome.kind !== 'stale') return { kind: 'failed', reason: outcome.kind, edit };
  // Other edits of a deleted note have no effect.
  if (edit.kind !== 'change') return undefined;
  const { theirs } = outcome;
  const merge = mergeChange(edit, theirs);
  if (merge.kind === 'done') return undefined;
  if (merge.kind === 'retry' && attempt < ATTEMPTS) return sendWithRetries(client, merge.edit, attempt + 1);
  return { kind: 'conflict', edit, theirs };
}

function statusOf({ kind, ...more }: BoardOutcome): number {
  if (kind === 'conflict') return 409;
  return 'reason' in more && more.reason === 'unreachable' ? 503 : 403;
}
