/**
 * The board's realtime connection: its private channel, and changes of the table. Loaded after the page is
 * usable, since the realtime client is large. Everything that is received becomes an event of the board's
 * state.
 */

import type { SupabaseClient } from '@supabase/supabase-js';
import { backoffDelay } from 'greenroom/app';
import { userIdOf } from '../files/token-user.ts';
import type { BoardEvent, Outcome } from './board-state.ts';
import { readNote, readNotes, sendEdit } from './board-table.ts';
import type { Edit } from './edit.ts';
import { parseNote } from './note.ts';
import { type Person, toPeople } from './people.ts';

/** Name of the private channel; policies of the database contain it, too. */
const TOPIC = 'board';

/** A board that is connected to the channel. */
export interface LiveBoard {
  /** Notifies others which note the user is writing, or that they have stopped. */
  notifyWriting(noteId: string | undefined): void;
  leave(): void;
}

/**
 * Sends an edit only as the user who made it: another window may have signed in another user since
 * this page was loaded.
 */
export async function sendOwnEdit(client: SupabaseClient, personId: string, edit: Edit): Promise<Outcome> {
  const { data } = await client.auth.getSession().catch(() => ({ data: { session: null } }));
  const userId = data.session ? userIdOf(data.session.access_token) : undefined;
  return userId === personId ? sendEdit(client, edit) : { kind: 'unreachable' };
}

/** Resolves when the previous channel is closed. Only then, a channel of the same name can be opened. */
let previousClosed: Promise<unknown> = Promise.resolve();

/** Joins the channel, and dispatches everything that is received. */
export function joinBoard(
  client: SupabaseClient,
  self: Person,
  dispatch: (event: BoardEvent) => void,
): LiveBoard {
  const abortController = new AbortController();
  let live: LiveBoard | undefined;
  let failures = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const open = async () => {
    await previousClosed;
    // The channel must use the user's token for policies, not the API key.
    await client.realtime.setAuth().catch(() => {});
    if (!abortController.signal.aborted) live = openChannel(client, self, dispatch, onSubscriptionChange);
  };
  // The client rejoins when its socket breaks, but not when the server cannot subscribe to changes.
  const onSubscriptionChange = (isSubscribed: boolean) => {
    clearTimeout(timer);
    failures = isSubscribed ? 0 : failures + 1;
    if (isSubscribed) return;
    timer = setTimeout(() => {
      live?.leave();
      void open();
    }, backoffDelay(failures));
  };
  void open();
  return {
    notifyWriting: (noteId) => live?.notifyWriting(noteId),
    leave() {
      abortController.abort();
      clearTimeout(timer);
      live?.leave();
    },
  };
}

/** Calls `onSubscriptionChange` when the subscription to changes of the table starts or fails. */
function openChannel(
  client: SupabaseClient,
  self: Person,
  dispatch: (event: BoardEvent) => void,
  onSubscriptionChange: (isSubscribed: boolean) => void,
): LiveBoard {
  let isCancelled = false;
  const emit = createEventEmitter((event) => isCancelled || dispatch(event));
  const channel = client.channel(TOPIC, { config: { private: true, presence: { key: self.id } } });
  const reader = createReader(client, emit);
  channel
    .on('postgres_changes', { event: '*', schema: 'public', table: 'notes' }, (change) => {
      const note = change.eventType === 'DELETE' ? undefined : parseNote(change.new);
      if (note) emit({ type: 'changed', note });
      else if (change.eventType === 'DELETE') emit({ type: 'removed', id: String(change.old.id) });
    })
    .on('broadcast', { event: 'hidden' }, ({ payload }) => {
      // Any user could send this message, so the table is read to check it.
      const id = String(payload?.note);
      emit.bufferDuring(async () => {
        const { isKnown, note } = await readNote(client, id);
        if (!isKnown) reader.read();
        else return note ? { type: 'changed', note } : { type: 'removed', id };
      });
    })
    .on('broadcast', { event: 'writing' }, ({ payload }) => {
      if (typeof payload?.person !== 'string' || payload.person === self.id) return;
      const noteId = typeof payload.note === 'string' ? payload.note : undefined;
      emit({ type: 'writing', personId: payload.person, noteId, now: Date.now() });
    })
    .on('presence', { event: 'sync' }, () =>
      emit({ type: 'people', people: toPeople(channel.presenceState(), self) }),
    )
    .on('system', {}, ({ extension, status }) => {
      if (extension !== 'postgres_changes' || isCancelled) return;
      onSubscriptionChange(status === 'ok');
      // Changes are received from now on; earlier ones are read from the table.
      if (status === 'ok') reader.read();
      emit({ type: 'connection', connection: status === 'ok' ? 'live' : 'reconnecting' });
    })
    .subscribe((status) => {
      if (status === 'SUBSCRIBED')
        void channel.track({ name: self.name, ...(self.picture && { picture: self.picture }) });
      else emit({ type: 'connection', connection: 'reconnecting' });
    });
  return {
    notifyWriting(note) {
      // If not joined, the client would send the message by HTTP, which is not worth a request.
      if (channel.state !== 'joined') return;
      const payload = { person: self.id, note: note ?? null };
      void channel.send({ type: 'broadcast', event: 'writing', payload });
    },
    leave() {
      isCancelled = true;
      reader.stop();
      // Offline, the server would not respond to the leave message, so the socket is closed.
      const closed = navigator.onLine ? undefined : client.realtime.disconnect();
      previousClosed = Promise.allSettled([closed, client.removeChannel(channel)]);
    },
  };
}

/** Reads all notes, and retries until the table responds. */
function createReader(client: SupabaseClient, emit: EventEmitter) {
  let failures = 0;
  let isCancelled = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const read = () => {
    clearTimeout(timer);
    emit.bufferDuring(async () => {
      const data = await readNotes(client);
      const isUnreachable = data.kind === 'problem' && data.problem === 'unreachable';
      failures = isUnreachable ? failures + 1 : 0;
      if (isUnreachable && !isCancelled) timer = setTimeout(read, backoffDelay(failures));
      return { type: 'read', data };
    });
  };
  const stop = () => {
    isCancelled = true;
    clearTimeout(timer);
  };
  return { read, stop };
}

interface EventEmitter {
  (event: BoardEvent): void;
  /**
   * Buffers events while `read` is running, since they are newer than its result. `read` returns undefined if it fails.
   */
  bufferDuring(read: () => Promise<BoardEvent | undefined>): void;
}

function createEventEmitter(dispatch: (event: BoardEvent) => void): EventEmitter {
  let buffered: BoardEvent[] | undefined;
  let reading: Promise<void> = Promise.resolve();
  const emit = (event: BoardEvent) => void (buffered ? buffered.push(event) : dispatch(event));
  const bufferDuring = (read: () => Promise<BoardEvent | undefined>) => {
    reading = reading.then(async () => {
      buffered = [];
      const event = await read();
      if (event) dispatch(event);
      for (const bufferedEvent of buffered) dispatch(bufferedEvent);
      buffered = undefined;
    });
  };
  return Object.assign(emit, { bufferDuring });
}
