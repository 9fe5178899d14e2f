/** The deliveries on the server: messages that wait, failed or were sent, and the forms that retry and drop them. */

import { data, redirect } from 'react-router';
import { invalidRoute, refused } from '../../../../session/page-errors.ts';
import { languageContext, siteContext } from '../../../../shell/request/contexts.server.ts';
import { pagePath, type VisitorArgs } from '../../../../shell/request/visitor.server.ts';
import { mailboxTexts } from '../../../../texts/mailbox.ts';
import { type Admin, asAdmin, audited } from '../../shared/as-admin.server.ts';
import { MESSAGES_PER_PAGE, type MessagePage, toMessagePage } from '../messages.ts';
import type { FailedDelivery } from '../view.ts';
import { deliveriesPath, FILTERS, readDeliverySelection } from './selection.ts';

type Args = VisitorArgs & { url: URL };

/** Data of the view. `now` is the server's time in seconds since 1970. */
export interface DeliveriesView {
  kind: 'deliveries';
  list: ({ kind: 'page' } & MessagePage) | { kind: 'problem'; text: string };
  now: number;
}

/** Loads one page of deliveries. */
export function loadDeliveries(args: Args) {
  const selection = readDeliverySelection(args.url.searchParams);
  if (selection === undefined) throw invalidRoute(pagePath(args));
  return asAdmin(args, async () => {
    const search = new URLSearchParams({
      page: `${selection.page}`,
      per_page: `${MESSAGES_PER_PAGE}`,
    });
    for (const status of FILTERS[selection.filter]) search.append('status', status);
    const list = await listDeliveries(args, search, selection.page);
    return data<DeliveriesView>({ kind: 'deliveries', list, now: Math.floor(Date.now() / 1000) });
  });
}

async function listDeliveries(
  { context }: Args,
  search: URLSearchParams,
  page: number,
): Promise<DeliveriesView['list']> {
  const texts = mailboxTexts[context.get(languageContext)];
  const response = await context
    .get(siteContext)
    .backend.callAdmin(`/admin/messages?${search}`)
    ?.catch(() => undefined);
  if (response === undefined || response.status >= 500) return { kind: 'problem', text: texts.tryAgain };
  if (!response.ok) return { kind: 'problem', text: texts.unsupported };
  const total = Number(response.headers.get('x-total-count') ?? 0);
  return { kind: 'page', ...toMessagePage(await response.json(), page, total) };
}

/** Runs a form of the view. */
export function changeDeliveries(args: Args) {
  const selection = readDeliverySelection(args.url.searchParams);
  if (selection === undefined) throw invalidRoute(pagePath(args));
  return asAdmin(args, async (admin) => {
    const form = await args.request.formData();
    const intent = form.get('intent');
    const id = String(form.get('id') ?? '');
    if (intent === 'retry-all') {
      const entry = { action: 'message.retry', target: 'all', summary: 'Retried all waiting messages' };
      return change(args, admin, entry, ['POST', '/admin/messages/retry'], 'retried-all');
    }
    if (id === '' || (intent !== 'retry' && intent !== 'drop'))
      throw refused({ status: 400, code: 'unclearForm' });
    const path = `/admin/messages/${encodeURIComponent(id)}`;
    return intent === 'retry'
      ? change(
          args,
          admin,
          { action: 'message.retry', target: id, summary: 'Retried a message' },
          ['POST', `${path}/retry`],
          'retried',
        )
      : change(
          args,
          admin,
          { action: 'message.drop', target: id, summary: 'Dropped a message' },
          ['DELETE', path],
          'dropped',
        );
  });
}

async function change(
  args: Args,
  admin: Admin,
  entry: Parameters<typeof audited>[1],
  [method, path]: ['POST' | 'DELETE', string],
  notice: string,
) {
  try {
    await audited(admin, entry, async () => {
      const response = await args.context.get(siteContext).backend.callAdmin(path, method);
      if (!response?.ok) throw new RefusedMessage(response?.status === 404 ? 'gone' : 'failed');
      return undefined;
    });
    const { filter } = readDeliverySelection(args.url.searchParams) ?? { filter: 'open' };
    return redirect(deliveriesPath({ filter }, { notice }));
  } catch (error) {
    const reason = error instanceof RefusedMessage ? error.reason : 'failed';
    return data<FailedDelivery>(
      { kind: 'delivery-failed', reason },
      { status: reason === 'gone' ? 404 : 503 },
    );
  }
}

/** The backend refused to change a message. */
class RefusedMessage extends Error {
  readonly reason: FailedDelivery['reason'];

  constructor(reason: FailedDelivery['reason']) {
    super(reason);
    this.reason = reason;
  }
}
