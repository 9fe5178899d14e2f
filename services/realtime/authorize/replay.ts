/** Loads the stored messages of a private channel from before a join. */
import type { Database } from '@greenroom/postgres';
import { ENCODING, type UserBroadcast } from '../frames/frame.ts';

/** The messages that a join requests. */
export interface Replay {
  /** Milliseconds since the epoch. */
  since: number;
  limit: number;
}

/** A stored message, sent once more. */
export interface ReplayedMessage {
  id: string;
  broadcast: UserBroadcast;
}

/** Loads the newest `limit` messages since `since`, in ascending order of time. */
export async function loadReplay(
  database: Database,
  topic: string,
  { since, limit }: Replay,
): Promise<ReplayedMessage[]> {
  const rows = await database.query<MessageColumns>({
    name: 'realtime replay',
    text: `select id, event, payload::text as payload, binary_payload from realtime.messages
      where topic = $1 and private and extension = 'broadcast' and event is not null
        and inserted_at >= to_timestamp($2::float8 / 1000) at time zone 'utc'
      order by inserted_at desc limit $3`,
    values: [topic, since, limit],
  });
  return rows.reverse().map((row) => ({ id: row.id, broadcast: broadcastOf(row) }));
}

interface MessageColumns {
  id: string;
  event: string;
  payload: string | null;
  binary_payload: Buffer | null;
}

function broadcastOf({ id, event, payload, binary_payload: bytes }: MessageColumns): UserBroadcast {
  return {
    kind: 'user-broadcast',
    event,
    meta: JSON.stringify({ replayed: true, id }),
    ...(bytes === null
      ? { encoding: ENCODING.json, bytes: Buffer.from(payload ?? '{}') }
      : { encoding: ENCODING.bytes, bytes }),
  };
}
