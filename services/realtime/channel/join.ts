/** Handles joins: runs the checks and creates the channel. A join with several errors reports the first. */
import { setTimeout as sleep } from 'node:timers/promises';
import { CatalogueError } from '@greenroom/errors';
import { runCheck } from '../authorize/checks.ts';
import type { Permissions } from '../authorize/policies.ts';
import { loadReplay, type Replay, type ReplayedMessage } from '../authorize/replay.ts';
import type { Context } from '../context.ts';
import { failure } from '../errors.ts';
import { type Frame, fitsField } from '../frames/frame.ts';
import { LARGE_BYTES } from '../frames/scan.ts';
import { TOPIC_PREFIX } from '../hub/topic.ts';
import { Channel, type ChannelPort } from './channel.ts';
import { type JoinParams, parseJoin } from './join-params.ts';
import { requirePermissions } from './permissions.ts';

/**
 * Maximum number of `postgres_changes` entries in a join. The feed has a lower limit, which it reports to the channel.
 */
const MAX_CHANGES = 1000;
const TOO_LARGE = `The payload of a join must not exceed ${LARGE_BYTES} bytes`;

interface Join {
  context: Context;
  port: ChannelPort;
  frame: Frame;
  /** The token of the handshake. */
  socketToken: string;
}

/** Joins a channel and opens it. Rejects with an error of the catalogue if the join is refused. */
export async function joinChannel({ context, port, frame, socketToken }: Join): Promise<Channel> {
  const name = nameOf(frame);
  if (frame.payload.kind === 'large') throw failure('InvalidJoinPayload', { message: TOO_LARGE });
  const params = parseJoin(frame.payload.kind === 'json' ? frame.payload.value : undefined, name);
  if (params.problems.length > 0) {
    context.log.warn(
      { code: 'InvalidJoinPayload', fields: params.problems },
      'a join has fields of the wrong type; their defaults apply',
    );
  }
  const session = await context.readToken(params.accessToken ?? socketToken);
  port.signIn(session.subject);
  const topic = { name, isPrivate: params.isPrivate };
  refuseParams(context, params);
  try {
    const checksPresence = params.presence.isEnabled;
    const permissions = await requirePermissions({ context, port, topic, session, checksPresence });
    await waitUntilFeedResumed(context);
    const joinRef = frame.joinRef ?? frame.ref;
    const channel = new Channel({ context, port, topic, joinRef, params, session, permissions });
    return await openWithReplay(context, channel, frame.ref, permissions);
  } catch (error) {
    throw error instanceof CatalogueError ? error : failure('UnableToConnectToProject', { cause: error });
  }
}

/** Waits for the feed, so that the client receives all messages from SQL after its join. Gives up after a timeout. */
async function waitUntilFeedResumed({ feed, timings }: Context): Promise<void> {
  const resumed = feed?.waitUntilResumed();
  if (resumed === undefined) return;
  const timer = new AbortController();
  const timedOut = sleep(timings.feedResumeTimeoutMs, undefined, { signal: timer.signal }).catch(
    () => undefined,
  );
  await Promise.race([resumed, timedOut]);
  timer.abort();
}

function nameOf({ topic }: Frame): string {
  const name = topic.slice(TOPIC_PREFIX.length);
  if (name === '') throw failure('TopicNameRequired');
  if (!fitsField(topic)) throw failure('TopicNameTooLong');
  return name;
}

function refuseParams({ config }: Context, { isPrivate, broadcast, changes }: JoinParams): void {
  if (config.isPrivateOnly && !isPrivate) throw failure('PrivateOnly');
  if (changes.length > MAX_CHANGES) {
    throw failure('InvalidJoinPayload', {
      message: `postgres_changes must not have more than ${MAX_CHANGES} entries`,
    });
  }
  if (broadcast.replay === undefined) return;
  if (!isPrivate) {
    throw failure('UnableToReplayMessages', { message: 'Replay is not allowed for public channels' });
  }
  if (broadcast.replay === 'invalid') {
    throw failure('UnableToReplayMessages', { message: 'Replay params are not valid' });
  }
}

/** Opens the channel after stored messages are loaded. It buffers new messages meanwhile, so that none is missed. */
async function openWithReplay(
  context: Context,
  channel: Channel,
  ref: string | null,
  { broadcast: canRead }: Permissions,
): Promise<Channel> {
  const { replay } = channel.params.broadcast;
  let replayed: ReplayedMessage[] = [];
  if (replay !== undefined) {
    try {
      if (!canRead) throw failure('UnableToReplayMessages');
      replayed = await runCheck(context.limits.policyChecks, channel.clientKeys, () =>
        loadReplay(context.database, channel.topic.name, replay as Replay),
      );
    } catch (error) {
      channel.close();
      throw error instanceof CatalogueError ? error : failure('UnableToReplayMessages', { cause: error });
    }
  }
  if (channel.isClosed) throw failure('UnableToReplayMessages');
  channel.open(ref, replayed);
  return channel;
}
