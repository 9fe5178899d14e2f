/**
 * GET and DELETE /admin/messages and /admin/messages/:messageId, POST /admin/messages/retry and
 * /admin/messages/:messageId/retry: the mailbox of mails and SMS that were sent,
 * are queued or are kept without being sent. GoTrue has no such endpoints. Messages contain sign-in codes, so
 * signed-in admins need two factors to read them.
 */
import {
  CHANNELS,
  type Channel,
  type ListedMessage,
  MAX_PER_PAGE,
  MESSAGE_STATES,
  type MessageState,
  type StoredMessage,
} from '@greenroom/messages';
import type { AuthContext } from '../context.ts';
import type { AuthRequest, AuthResponse } from '../contracts/request.ts';
import { failure } from '../errors.ts';
import { uuidParam } from '../http/uuid.ts';
import { requireAdmin } from '../session/caller.ts';
import { pageHeaders, readPage } from './pagination.ts';

/** Addresses are at most this long. The limit also bounds the `Link` header, which repeats the search. */
const MAX_SEARCH_LENGTH = 255;

const PRIVATE = { 'cache-control': 'no-store' };

/** Returns one page of messages without their contents, newest first. */
export async function listMessagesAsAdmin(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  await requireMailboxAdmin(context, request);
  const { page, perPage: requestedSize } = readPage(request.query);
  const perPage = Math.min(requestedSize, MAX_PER_PAGE);
  const filter = {
    channel: readChannel(request.query),
    states: readStates(request.query),
    search: readSearch(request.query),
  };
  const { messages, total } = await context.mailbox.list({ page, perPage, ...filter });
  return {
    status: 200,
    headers: { ...PRIVATE, ...pageHeaders(request.target, { page, perPage }, total) },
    body: messages.map(toListed),
  };
}

/** Returns a message with its contents. */
export async function readMessageAsAdmin(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  await requireMailboxAdmin(context, request);
  const message = await context.mailbox.read(uuidParam(request, 'messageId'));
  if (message === undefined) throw failure('message_not_found');
  return { status: 200, headers: PRIVATE, body: toFullMessage(message) };
}

/** Deletes a message in any state. A queued message is then not sent. */
export async function deleteMessageAsAdmin(
  context: AuthContext,
  request: AuthRequest,
): Promise<AuthResponse> {
  await requireMailboxAdmin(context, request);
  if (await context.mailbox.remove(uuidParam(request, 'messageId'))) return { status: 204 };
  throw failure('message_not_found');
}

/** Sends a queued message now instead of at its next attempt. */
export async function retryMessageAsAdmin(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  await requireMailboxAdmin(context, request);
  if (!(await context.mailbox.retry(uuidParam(request, 'messageId')))) throw failure('message_not_found');
  context.outbox.wake();
  return { status: 204 };
}

/** Sends all queued messages now that wait for another attempt. Returns their number. */
export async function retryMessages(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  await requireMailboxAdmin(context, request);
  const count = await context.mailbox.retryAll();
  context.outbox.wake();
  return { status: 200, body: { count } };
}

/** Deletes all messages except queued ones. */
export async function clearMessages(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  await requireMailboxAdmin(context, request);
  await context.mailbox.clear();
  return { status: 204 };
}

/** Requires a service key, or an admin session with two factors. Throws `insufficient_aal` otherwise. */
export async function requireMailboxAdmin(context: AuthContext, request: AuthRequest): Promise<void> {
  const { sub, session_id: session, aal, user_verified: userVerified } = await requireAdmin(context, request);
  const isUser = Boolean(sub) || Boolean(session);
  if (!isUser || aal === 'aal2' || userVerified === true) return;
  throw failure('insufficient_aal', { status: 403, message: 'AAL2 session is required to see messages' });
}

function readChannel(query: URLSearchParams): Channel | undefined {
  const text = query.get('channel') || undefined;
  const channel = CHANNELS.find((known) => known === text);
  if (text === undefined || channel !== undefined) return channel;
  throw failure('validation_failed', { message: `channel must be one of ${CHANNELS.join(', ')}` });
}

function readStates(query: URLSearchParams): MessageState[] | undefined {
  const names = query.getAll('status').filter((name) => name !== '');
  if (names.length === 0) return undefined;
  const states = MESSAGE_STATES.filter((state) => names.includes(state));
  if (states.length === new Set(names).size) return states;
  throw failure('validation_failed', { message: `status must be one of ${MESSAGE_STATES.join(', ')}` });
}

function readSearch(query: URLSearchParams): string {
  const search = query.get('q') ?? '';
  if (search.includes('\0')) throw failure('validation_failed', { message: 'q must not contain NUL' });
  if (search.length <= MAX_SEARCH_LENGTH) return search;
  const message = `q must not be longer than ${MAX_SEARCH_LENGTH} characters`;
  throw failure('validation_failed', { message });
}

function toListed({ state, ...message }: ListedMessage) {
  const { id, channel, kind, recipient, subject, attempts, created_at, sent_at, last_error } = message;
  const { next_attempt_at } = message;
  return {
    id,
    channel,
    kind,
    recipient,
    subject,
    status: state,
    attempts,
    created_at,
    sent_at,
    last_error,
    next_attempt_at,
  };
}

function toFullMessage(message: StoredMessage) {
  const { text_body: text, html_body: html, link } = message;
  return { ...toListed(message), text, html, link };
}
