/** The mailbox on the server: its guard, the list, the open message, and the forms. */
import { data, redirect } from 'react-router';
import { resolveWithin } from '../../../lib/maybe-promise.ts';
import { invalidRoute, pageNotFound, refused } from '../../../session/page-errors.ts';
import { checkAdminAccess } from '../../../shell/request/admin-access.server.ts';
import { languageContext, siteContext } from '../../../shell/request/contexts.server.ts';
import { pagePath, type VisitorArgs } from '../../../shell/request/visitor.server.ts';
import { mailboxTexts } from '../../../texts/mailbox.ts';
import { asAdminResource } from '../shared/as-admin.server.ts';
import { MAIL_HEADERS, mailDocument } from './mail-document.ts';
import { MESSAGES_PER_PAGE, type OpenMessage, toMessagePage, toOpenMessage } from './messages.ts';
import { mailboxPath, readSelection, type Selection, withoutMessage } from './selection.ts';
import type { MailboxView, MessageList, OpenResult } from './view.ts';

type Args = VisitorArgs & { url: URL };

/** Loads the mailbox, or the reason for denying access. */
export async function loadMailbox(args: Args) {
  const selection = readSelection(args.url.searchParams);
  if (selection === undefined) throw invalidRoute(pagePath(args));
  const access = await checkAdminAccess(args);
  if (access !== 'granted') return view({ kind: 'refused', reason: access }, 403);
  const [list, open] = await Promise.all([
    resolveWithin(listMessages(args, selection)),
    openMessage(args, selection),
  ]);
  const now = Math.floor(Date.now() / 1000);
  return view({ kind: 'mailbox', list: list.value, open, now }, open.kind === 'gone' ? 404 : 200);
}

/** Deletes the messages that the form names, and redirects to the list. */
export async function changeMailbox(args: Args) {
  const selection = readSelection(args.url.searchParams);
  if (selection === undefined) throw invalidRoute(pagePath(args));
  const access = await checkAdminAccess(args);
  if (access !== 'granted') return view({ kind: 'refused', reason: access }, 403);
  const intent = (await args.request.formData()).get('intent');
  if (intent === 'delete' && selection.message !== '') {
    const path = `/admin/messages/${encodeURIComponent(selection.message)}`;
    return remove(args, path, mailboxPath(withoutMessage(selection), { notice: 'deleted' }));
  }
  if (intent === 'clear') return remove(args, '/admin/messages', mailboxPath({}, { notice: 'cleared' }));
  throw refused({ status: 400, code: 'unclearForm' });
}

/** Returns the HTML of an email, for the frame in the page. */
export function showMail(args: Args): Promise<Response> {
  return asAdminResource(args, async () => {
    const id = readSelection(args.url.searchParams)?.message ?? '';
    const response = id === '' ? undefined : await readMessage(args, id);
    const body = response?.ok ? ((await response.json()) as { html?: unknown }) : undefined;
    if (typeof body?.html !== 'string') throw pageNotFound(pagePath(args));
    return new Response(mailDocument(body.html), { headers: MAIL_HEADERS });
  });
}

async function remove(args: VisitorArgs, path: string, next: string) {
  const response = await args.context
    .get(siteContext)
    .backend.callAdmin(path, 'DELETE')
    ?.catch(() => undefined);
  // A message that no longer exists counts as deleted, too.
  if (response?.ok || response?.status === 404) return redirect(next);
  return view({ kind: 'not-deleted' }, response?.status ?? 503);
}

/** Never rejects. */
async function listMessages(args: VisitorArgs, { page, q, channel }: Selection): Promise<MessageList> {
  const texts = textsOf(args);
  try {
    const search = new URLSearchParams({ page: `${page}`, per_page: `${MESSAGES_PER_PAGE}`, q, channel });
    const response = await args.context.get(siteContext).backend.callAdmin(`/admin/messages?${search}`);
    if (response === undefined) return { kind: 'problem', text: texts.noServiceKey };
    if (response.status === 404 || response.status === 405)
      return { kind: 'problem', text: texts.unsupported };
    if (!response.ok) return { kind: 'problem', text: texts.tryAgain };
    const total = Number(response.headers.get('x-total-count') ?? 0);
    return { kind: 'page', ...toMessagePage(await response.json(), page, total) };
  } catch {
    return { kind: 'problem', text: texts.tryAgain };
  }
}

/** Never rejects. */
async function openMessage(args: VisitorArgs, { message: id }: Selection): Promise<OpenResult> {
  if (id === '') return { kind: 'none' };
  const response = await readMessage(args, id);
  if (response?.status === 404) return { kind: 'gone' };
  const body: unknown = response?.ok ? await response.json().catch(() => undefined) : undefined;
  const message: OpenMessage | undefined = toOpenMessage(body);
  return message ? { kind: 'open', message } : { kind: 'problem' };
}

async function readMessage({ context }: VisitorArgs, id: string): Promise<Response | undefined> {
  const { backend } = context.get(siteContext);
  return backend.callAdmin(`/admin/messages/${encodeURIComponent(id)}`)?.catch(() => undefined);
}

function textsOf({ context }: VisitorArgs) {
  return mailboxTexts[context.get(languageContext)];
}

function view(value: MailboxView, status: number) {
  return data(value, { status });
}
