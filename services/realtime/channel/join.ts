/** Joining: everything that is checked before there is a channel, in the order in which it is told. */
import { setTimeout as sleep } from 'node:timers/promises';
import { CatalogueError } from '@greenroom/errors';
import { runCheck } from '../authorize/checks.ts';
import { type Permissions, readPermissions } from '../authorize/policies.ts';
import { loadReplay, type Replay, type ReplayedMessage } from '../authorize/replay.ts';
import type { Session } from '../authorize/token.ts';
import type { Context } from '../context.ts';
import { failure } from '../errors.ts';
import { type Frame, fitsField } from '../frames/frame.ts';
import { LARGE_BYTES } from '../frames/scan.ts';
import { TOPIC_PREFIX, type Topic } from '../hub/topic.ts';
import { Channel, type ChannelPort } from './channel.ts';
import { type JoinParams, parseJoin } from './join-params.ts';

/** More entries of `postgres_changes` are not even looked at. The feed takes fewer, and says so to the channel. */
const MAX_CHANGES = 1000;
const TOO_LARGE = `The payload of a join has at most ${LARGE_BYTES} bytes`;
const PUBLIC: Permissions = { broadcast: true, presence: true };

/** Who joins what. */
interface Join {
  context: Context;
  port: ChannelPort;
  frame: Frame;
  /** The token that the socket came with. */
  socketToken: string;
}

/** Joins a channel and opens it. Throws an error of the catalogue where it is refused. */
export async function joinChannel({ context, port, frame, socketToken }: Join): Promise<Channel> {
  const name = nameOf(frame);
  if (frame.payload.kind === 'large') throw failure('InvalidJoinPayload', { message: TOO_LARGE });
  const params = parseJoin(frame.payload.kind === 'json' ? frame.payload.value : undefined, name);
  if (params.problems.length > 0) {
    context.log.warn(
      { code: 'InvalidJoinPayload', fields: params.problems },
      'a join has fields of other types',
    );
  }
  const session = await context.readToken(params.accessToken ?? socketToken);
  port.client.signIn(session.subject);
  const topic = { name, isPrivate: params.isPrivate };
  refuseParams(context, params);
  try {
    const permissions = await permissionsOf({ context, port, topic, params, session });
    await untilFeedIsAwake(context);
    const joinRef = frame.joinRef ?? frame.ref;
    const channel = new Channel({ context, port, topic, joinRef, params, session, permissions });
    return await openWithReplay(context, channel, frame.ref, permissions);
  } catch (error) {
    throw error instanceof CatalogueError ? error : failure('UnableToConnectToProject', { cause: error });
  }
}

/** Whoever has joined hears what SQL sends from then on. A feed that cannot be had keeps nobody from the rest. */
async function untilFeedIsAwake({ feed, timings }: Context): Promise<void> {
  const awake = feed?.untilAwake();
  if (awake === undefined) return;
  const patience = new AbortController();
  const late = sleep(timings.feedWakesMs, undefined, { signal: patience.signal }).catch(() => undefined);
  await Promise.race([awake, late]);
  patience.abort();
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
    throw failure('InvalidJoinPayload', { message: `postgres_changes has at most ${MAX_CHANGES} entries` });
  }
  if (broadcast.replay === undefined) return;
  if (!isPrivate) {
    throw failure('UnableToReplayMessages', { message: 'Replay is not allowed for public channels' });
  }
  if (broadcast.replay === 'invalid') {
    throw failure('UnableToReplayMessages', { message: 'Replay params are not valid' });
  }
}

interface Asked {
  context: Context;
  port: ChannelPort;
  topic: Topic;
  params: JoinParams;
  session: Session;
}

async function permissionsOf({ context, port, topic, params, session }: Asked): Promise<Permissions> {
  if (!topic.isPrivate) return PUBLIC;
  const question = {
    topic: topic.name,
    session,
    headers: port.headers,
    asksPresence: params.presence.isEnabled,
  };
  const { database, limits, log } = context;
  const permissions = await runCheck(limits.policyChecks, port.client.keys, () =>
    readPermissions(database, question, (error) =>
      log.warn({ err: error }, 'a policy on realtime.messages failed, which counts as a no'),
    ),
  );
  if (!permissions.broadcast && !permissions.presence) {
    const message = `You do not have permissions to read from this Channel topic: ${topic.name}`;
    throw failure('Unauthorized', { message });
  }
  return permissions;
}

/** The channel hears already while old messages are looked up, so that none is missed in between. */
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
