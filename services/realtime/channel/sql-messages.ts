/** Messages from SQL: delivers rows of realtime.messages as broadcasts to the channels of this node. */
import type { Context } from '../context.ts';
import type { MessageRow } from '../feed/feed.ts';
import { ENCODING, fitsField, type UserBroadcast } from '../frames/frame.ts';
import { TOPIC_PREFIX } from '../hub/topic.ts';

/** Delivers a row to the channels of its topic on this node. Other nodes read the row from the write-ahead log. */
export function deliverRow(context: Context, row: MessageRow): void {
  if (row.extension !== 'broadcast' || row.event === null) return;
  const broadcast = broadcastOf(row, row.event);
  const problem = problemOf(context, row, broadcast);
  if (problem !== undefined) {
    context.metrics.dropped.inc({ kind: problem });
    context.log.warn({ id: row.id, reason: problem }, 'a message from SQL was dropped');
    return;
  }
  context.rates.events.add();
  const topic = { name: row.topic, isPrivate: row.isPrivate };
  context.hub.deliver({ kind: 'broadcast', topic, broadcast }, row.id);
}

function broadcastOf({ id, payload, binaryPayload }: MessageRow, event: string): UserBroadcast {
  const meta = JSON.stringify({ id });
  return binaryPayload === null
    ? { kind: 'user-broadcast', event, meta, encoding: ENCODING.json, bytes: Buffer.from(payload ?? '{}') }
    : { kind: 'user-broadcast', event, meta, encoding: ENCODING.bytes, bytes: binaryPayload };
}

function problemOf({ config, rates }: Context, { topic }: MessageRow, { event, bytes }: UserBroadcast) {
  if (!fitsField(TOPIC_PREFIX + topic) || !fitsField(event)) return 'name too long';
  if (bytes.length > config.maxPayloadBytes) return 'too large';
  return rates.events.average >= config.maxEventsPerSecond ? 'too many' : undefined;
}
