/**
 * GET and DELETE /admin/messages and /admin/messages/:messageId: the mailbox, which holds the mails and SMS that were
 * sent, wait, or stay here. GoTrue has no such endpoints. What messages say signs people in, so a person needs their
 * second step to see any of it, admin or not.
 */
import {
  CHANNELS,
  type Channel,
  type ListedMessage,
  MAX_PER_PAGE,
  type StoredMessage,
} from '@greenroom/messages';
import type { AuthContext } from '../context.ts';
import type { AuthRequest, AuthResponse } from '../contracts/request.ts';
import { failure } from '../errors.ts';
import { uuidParam } from '../http/uuid.ts';
import { requireAdmin } from '../session/caller.ts';
import { pageHeaders, readPage } from './pagination.ts';

/** No address is longer; and the search comes back in the links of the answer's header. */
const MAX_SEARCH_LENGTH = 255;

const PRIVATE = { 'cache-control': 'no-store' };

/** Answers one page, the newest first, without what the messages say. */
export async function listMessagesAsAdmin(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  await requireMailboxAdmin(context, request);
  const { page, perPage: wanted } = readPage(request.query);
  const perPage = Math.min(wanted, MAX_PER_PAGE);
  const filter = { channel: readChannel(request.query), search: readSearch(request.query) };
  const { messages, total } = await context.mailbox.list({ page, perPage, ...filter });
  return {
    status: 200,
    headers: { ...PRIVATE, ...pageHeaders(request.target, { page, perPage }, total) },
    body: messages.map(toListed),
  };
}

/** Answers one with all that it says. */
export async function readMessageAsAdmin(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  await requireMailboxAdmin(context, request);
  const message = await context.mailbox.read(uuidParam(request, 'messageId'));
  if (message === undefined) throw failure('message_not_found');
  return { status: 200, headers: PRIVATE, body: toWhole(message) };
}

/** Deletes one, whatever became of it. One that still waits is not sent. */
export async function deleteMessageAsAdmin(
  context: AuthContext,
  request: AuthRequest,
): Promise<AuthResponse> {
  await requireMailboxAdmin(context, request);
  if (await context.mailbox.remove(uuidParam(request, 'messageId'))) return { status: 204 };
  throw failure('message_not_found');
}

/** Deletes all but those that wait to be sent. */
export async function clearMessages(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  await requireMailboxAdmin(context, request);
  await context.mailbox.clear();
  return { status: 204 };
}

/** Requires a service's key, or an admin who has shown two factors. Throws `insufficient_aal` for the others. */
async function requireMailboxAdmin(context: AuthContext, request: AuthRequest): Promise<void> {
  const { sub, session_id: session, aal, user_verified: userVerified } = await requireAdmin(context, request);
  const isPerson = Boolean(sub) || Boolean(session);
  if (!isPerson || aal === 'aal2' || userVerified === true) return;
  throw failure('insufficient_aal', { status: 403, message: 'AAL2 session is required to see messages' });
}

function readChannel(query: URLSearchParams): Channel | undefined {
  const text = query.get('channel') || undefined;
  const channel = CHANNELS.find((known) => known === text);
  if (text === undefined || channel !== undefined) return channel;
  throw failure('validation_failed', { message: `channel must be one of ${CHANNELS.join(', ')}` });
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
  };
}

function toWhole(message: StoredMessage) {
  const { text_body: text, html_body: html, link } = message;
  return { ...toListed(message), text, html, link };
}
