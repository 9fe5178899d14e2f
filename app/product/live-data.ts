/** Follows changes of a table with the official client. */
import type { RealtimeChannel, SupabaseClient } from '@supabase/supabase-js';
import { backoffDelay } from '../lib/backoff.ts';

/** Rows of a table of the database. */
export interface LiveRows {
  table: string;
  /** Default: `public`. */
  schema?: string;
  /** A condition on the rows, as of the official client: `list_id=eq.1`. */
  filter?: string;
}

/** A client joins a channel of the same name only once, also if another component follows the same rows. */
let channelCount = 0;

/**
 * Calls `onChange` when the subscription starts, also again after an interruption, and when one of the rows is inserted, updated
 * or deleted. Returns a function that ends the subscription.
 */
export function followRows(client: SupabaseClient, rows: LiveRows, onChange: () => void): () => void {
  let channel: RealtimeChannel | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  let isEnded = false;
  const open = async () => {
    // Policies apply to the user of the token, which the client otherwise sends later than the subscription.
    await client.realtime.setAuth().catch(() => {});
    if (!isEnded) channel = openChannel(client, rows, onChange, onSubscription);
  };
  // The client rejoins when its socket breaks, but not when the server cannot subscribe to changes.
  const onSubscription = (isOpen: boolean) => {
    clearTimeout(timer);
    failures = isOpen ? 0 : failures + 1;
    if (isOpen) return onChange();
    timer = setTimeout(() => {
      if (channel) void client.removeChannel(channel);
      void open();
    }, backoffDelay(failures));
  };
  void open();
  return () => {
    isEnded = true;
    clearTimeout(timer);
    if (channel) void client.removeChannel(channel);
  };
}

function openChannel(
  client: SupabaseClient,
  { table, schema = 'public', filter }: LiveRows,
  onChange: () => void,
  onSubscription: (isOpen: boolean) => void,
): RealtimeChannel {
  const rows = { event: '*', schema, table, ...(filter !== undefined && { filter }) } as const;
  let isCurrent = true;
  return client
    .channel(`rows-${++channelCount}`)
    .on('postgres_changes', rows, onChange)
    .on('system', {}, ({ extension, status }) => {
      if (extension !== 'postgres_changes' || !isCurrent) return;
      isCurrent = status === 'ok';
      onSubscription(isCurrent);
    })
    .subscribe();
}
