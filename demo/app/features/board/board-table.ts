/** Requests to the board's table with the official client, for server and browser. None of them rejects. */

import type { SupabaseClient } from '@supabase/supabase-js';
import { constants } from 'greenroom/app';
import { type BoardData, MAX_NOTES } from './board-data.ts';
import type { Outcome } from './board-state.ts';
import type { Edit } from './edit.ts';
import { NOTE_COLUMNS, type Note, parseNote, parseNotes } from './note.ts';

type Rows = Record<string, unknown>[];

/** The response of a request. Without a response the status is 0. */
interface TableResponse {
  data: Rows | null;
  error: { code?: string } | null;
  status: number;
}

/** Error codes for a missing table or column, of PostgreSQL and of the data API. */
const NOT_SET_UP = new Set(['42P01', '42703', 'PGRST204', 'PGRST205']);
/** `unique_violation`: a note with this id exists. */
const UNIQUE_VIOLATION = '23505';

/** Returns the newest notes that are visible to the client's user. */
export async function readNotes(client: SupabaseClient, timeoutMs?: number): Promise<BoardData> {
  const { data, error } = await execute(
    client
      .from('notes')
      .select(NOTE_COLUMNS)
      .order('created_at', { ascending: false })
      .order('id')
      .limit(MAX_NOTES + 1)
      .abortSignal(requestTimeout(timeoutMs)),
  );
  if (data)
    return {
      kind: 'notes',
      notes: parseNotes(data.slice(0, MAX_NOTES)),
      isTruncated: data.length > MAX_NOTES,
    };
  return { kind: 'problem', problem: NOT_SET_UP.has(error?.code ?? '') ? 'notSetUp' : 'unreachable' };
}

/**
 * Reads one note; `note` is undefined if it does not exist or is not visible to this user. `isKnown` is
 * false if the request failed.
 */
export async function readNote(
  client: SupabaseClient,
  id: string,
): Promise<{ isKnown: boolean; note?: Note | undefined }> {
  const { data } = await execute(
    client.from('notes').select(NOTE_COLUMNS).eq('id', id).abortSignal(requestTimeout()),
  );
  return data ? { isKnown: true, note: parseNotes(data)[0] } : { isKnown: false };
}

/** Sends an edit. Its result is `stale` if the note has changed meanwhile. */
export async function sendEdit(client: SupabaseClient, edit: Edit): Promise<Outcome> {
  const response = await execute(request(client, edit));
  if (edit.kind === 'add' && response.error?.code === UNIQUE_VIOLATION)
    return settleAdded(client, edit.noteId);
  if (response.error) return { kind: isTemporary(response.status) ? 'unreachable' : 'refused' };
  const [row] = response.data ?? [];
  if (row) return { kind: 'done', note: parseNote(row) };
  if (edit.kind === 'delete') return { kind: 'done' };
  const { isKnown, note } = await readNote(client, edit.noteId);
  return isKnown ? { kind: 'stale', theirs: note } : { kind: 'unreachable' };
}

function request(client: SupabaseClient, edit: Edit): PromiseLike<TableResponse> {
  const table = client.from('notes');
  const { noteId: id } = edit;
  switch (edit.kind) {
    case 'add': {
      const { text, color, isShared: is_shared } = edit;
      return table.insert({ id, text, color, is_shared }).select(NOTE_COLUMNS).abortSignal(requestTimeout());
    }
    case 'change': {
      const { text, color, base } = edit;
      const change = table.update({ text, color }).eq('id', id).eq('version', base.version);
      return change.select(NOTE_COLUMNS).abortSignal(requestTimeout());
    }
    case 'share': {
      const change = table.update({ is_shared: edit.isShared }).eq('id', id);
      return change.select(NOTE_COLUMNS).abortSignal(requestTimeout());
    }
    case 'delete':
      return table.delete().eq('id', id).select('id').abortSignal(requestTimeout());
  }
}

/** The note was inserted by an earlier attempt whose response was lost. */
async function settleAdded(client: SupabaseClient, id: string): Promise<Outcome> {
  const { isKnown, note } = await readNote(client, id);
  return isKnown ? { kind: 'done', note } : { kind: 'unreachable' };
}

/** Returns whether a retry may succeed. 401: the token has expired, and a new one is being fetched. */
function isTemporary(status: number): boolean {
  return status === 0 || status === 401 || status === 408 || status === 429 || status >= 500;
}

function requestTimeout(milliseconds: number = constants.realtime.requestTimeout): AbortSignal {
  return AbortSignal.timeout(milliseconds);
}

async function execute(promise: PromiseLike<unknown>): Promise<TableResponse> {
  try {
    return (await promise) as TableResponse;
  } catch {
    return { data: null, error: {}, status: 0 };
  }
}
