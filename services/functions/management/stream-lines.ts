/** Sends lines of functions as a response with one JSON object in each line. */
import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { FunctionLine, LogFeed } from '../runtime/log-feed.ts';

/** Options of {@link streamLines}. */
interface StreamOptions {
  feed: LogFeed;
  matches(line: FunctionLine): boolean;
  /** Maximum number of lines that exist already. */
  limit: number;
  /** Whether the response continues until its client leaves. */
  follows: boolean;
  /** Called once when the response has ended. */
  onEnd?(): void;
}

/** A client that does not read loses further lines. */
const MAX_UNREAD_BYTES = 1024 * 1024;

/** Returns the reply with the lines. */
export function streamLines(
  reply: FastifyReply,
  { feed, matches, limit, follows, onEnd }: StreamOptions,
): FastifyReply {
  const body = new Readable({ read: () => undefined });
  const send = (line: FunctionLine) => {
    if (matches(line) && body.readableLength < MAX_UNREAD_BYTES) body.push(`${JSON.stringify(line)}\n`);
  };
  // An empty line lets the client know that the response has begun: no other line may follow for long.
  if (follows) body.push('\n');
  const found = feed.lines.filter(matches);
  for (const line of limit === 0 ? [] : found.slice(-limit)) send(line);
  const stop = follows ? feed.follow({ onLine: send, onEnd: () => void body.push(null) }) : undefined;
  if (!follows) body.push(null);
  reply.raw.once('close', () => {
    stop?.();
    body.destroy();
    onEnd?.();
  });
  return reply.type('application/x-ndjson').header('cache-control', 'no-store').send(body);
}
