/** The templates on the server: the list, the open template, its forms and its preview. */
import { data, redirect } from 'react-router';
import { OperatorError } from '../../../../session/operator-client.server.ts';
import { refused } from '../../../../session/page-errors.ts';
import { siteContext } from '../../../../shell/request/contexts.server.ts';
import type { VisitorArgs } from '../../../../shell/request/visitor.server.ts';
import { type Admin, asAdmin, asAdminResource, audited } from '../../shared/as-admin.server.ts';
import { MAIL_HEADERS } from '../mail-document.ts';
import { viewPath } from '../view-names.ts';
import { draftDocument, mistakeDocument, type RenderedDraft } from './template-document.ts';
import { openTemplate, type Template, type TemplateRow, toTemplateRows } from './template-list.ts';

type Args = VisitorArgs & { url: URL };

/** Data of the view. */
export type TemplatesView =
  | { kind: 'templates'; rows: TemplateRow[]; open: Template; editing: Editing; isReplacedByHook: boolean }
  | { kind: 'templates-unavailable'; isSupported: boolean };

/** Whether the open template can be saved, and the version of config.toml that the form is based on. */
interface Editing {
  hash: string | null;
  refusal: string | null;
}

/** The result of a form, which is shown with the loader's data. */
export type TemplateResult =
  | { kind: 'template-sent'; isDelivered: boolean; draft: Draft }
  | { kind: 'template-failed'; reason: 'conflict' | 'invalid' | 'failed'; message: string; draft: Draft };

interface Draft {
  subject: string;
  body: string;
}

/** Loads the list and the open template. */
export function loadTemplates(args: Args) {
  return asAdmin(args, async (admin) => data<TemplatesView>(await readTemplates(args, admin)));
}

async function readTemplates(args: Args, { operator }: Admin): Promise<TemplatesView> {
  const response = await call(args, 'GET', '/admin/templates');
  if (!response?.ok) return { kind: 'templates-unavailable', isSupported: response?.status !== 404 };
  const { templates, replaced_by_hook: hooks } = (await response.json()) as {
    templates: Template[];
    replaced_by_hook: { mail: boolean; sms: boolean };
  };
  const open = openTemplate(templates, args.url.searchParams.get('kind'));
  if (open === undefined) return { kind: 'templates-unavailable', isSupported: false };
  const editing = await operator
    ?.get<{ config_hash: string | null; refusal: string | null }>(`/templates/${open.kind}`)
    .catch(() => undefined);
  return {
    kind: 'templates',
    rows: toTemplateRows(templates),
    open,
    editing: { hash: editing?.config_hash ?? null, refusal: editing ? editing.refusal : 'config_file' },
    isReplacedByHook: hooks[open.channel],
  };
}

/** Runs a form of the view. */
export function changeTemplates(args: Args) {
  return asAdmin(args, async (admin) => {
    const form = await args.request.formData();
    const kind = String(form.get('kind') ?? '');
    const intent = form.get('intent');
    if (intent === 'send') return sendTest(args, admin, kind, form);
    if (intent !== 'save' && intent !== 'reset') throw refused({ status: 400, code: 'unclearForm' });
    return save(args, admin, kind, form, intent);
  });
}

async function save(args: Args, admin: Admin, kind: string, form: FormData, intent: 'save' | 'reset') {
  const draft = draftOf(form);
  const isNotification = form.get('has-switch') !== null;
  const text =
    intent === 'reset'
      ? { subject: null, body: null }
      : {
          ...(form.has('subject') && { subject: draft.subject || null }),
          // A template of a URL has no text here, so an empty text keeps it.
          ...((draft.body !== '' || form.get('is-remote') === null) && { body: draft.body || null }),
          ...(isNotification && { is_enabled: form.get('is_enabled') !== null }),
        };
  try {
    if (admin.operator === undefined) throw new OperatorError(404, 'unsupported', '');
    const { operator } = admin;
    const before = await configuredText(args, kind);
    const entry = {
      action: intent === 'save' ? 'template.update' : 'template.reset',
      target: kind,
      summary: intent === 'save' ? `Changed the template ${kind}` : `Reset the template ${kind}`,
      before,
      after: text,
    };
    await audited(admin, entry, async () => {
      await operator.send('PUT', `/templates/${encodeURIComponent(kind)}`, {
        config_hash: String(form.get('config_hash') ?? ''),
        ...text,
      });
      return undefined;
    });
    return redirect(viewPath('templates', { kind, notice: intent === 'save' ? 'saved' : 'reset' }));
  } catch (error) {
    return failed(error, draft);
  }
}

async function configuredText(args: Args, kind: string): Promise<unknown> {
  const response = await call(args, 'GET', '/admin/templates');
  const { templates = [] } = response?.ok ? ((await response.json()) as { templates?: Template[] }) : {};
  const { subject, body, is_enabled } = templates.find((template) => template.kind === kind) ?? {};
  return { subject, body, is_enabled };
}

function failed(error: unknown, draft: Draft) {
  const { status, code, message } = error instanceof OperatorError ? error : unknownError(error);
  const reason = code === 'config_changed' ? 'conflict' : status < 500 ? 'invalid' : 'failed';
  // The router loads the page again, with the current version of config.toml, only after a status below 400.
  const shown = reason === 'conflict' ? 200 : status;
  return data<TemplateResult>({ kind: 'template-failed', reason, message, draft }, { status: shown });
}

function unknownError(error: unknown) {
  return { status: 503, code: 'failed', message: String((error as Error).message) };
}

async function sendTest(args: Args, admin: Admin, kind: string, form: FormData) {
  const draft = draftOf(form);
  const body = {
    kind,
    to: String(form.get('to') ?? ''),
    language: String(form.get('language') ?? 'en'),
    ...textOfDraft(form, draft),
  };
  let message = '';
  let status = 503;
  try {
    const entry = { action: 'template.test', target: kind, summary: `Sent a test of ${kind} to ${body.to}` };
    const sent: { isDelivered: boolean } = { isDelivered: false };
    await audited(admin, entry, async () => {
      const response = await call(args, 'POST', '/admin/templates/send', body);
      status = response?.status ?? 503;
      const result = (await response?.json().catch(() => ({}))) as { msg?: string; is_delivered?: boolean };
      message = result?.msg ?? '';
      if (!response?.ok) throw new Error(message);
      sent.isDelivered = result.is_delivered === true;
      return undefined;
    });
    return data<TemplateResult>({ kind: 'template-sent', ...sent, draft });
  } catch {
    const reason = status < 500 ? 'invalid' : 'failed';
    return data<TemplateResult>({ kind: 'template-failed', reason, message, draft }, { status });
  }
}

/** Serves the preview of the configured template, or of the draft in a form, for a frame. */
export function showPreview(args: Args): Promise<Response> {
  return asAdminResource(args, async () => {
    const isDraft = args.request.method === 'POST';
    const form = isDraft ? await args.request.formData() : undefined;
    const kind = String(form?.get('kind') ?? args.url.searchParams.get('kind') ?? '');
    const language = String(form?.get('language') ?? args.url.searchParams.get('language') ?? 'en');
    const text = form ? textOfDraft(form, draftOf(form)) : {};
    const response = await call(args, 'POST', '/admin/templates/preview', { kind, ...text });
    const body = (await response?.json().catch(() => ({}))) as Record<string, RenderedDraft> & {
      msg?: string;
    };
    const rendered = response?.ok ? body[language === 'de' ? 'de' : 'en'] : undefined;
    const document = rendered ? draftDocument(rendered) : mistakeDocument(body?.msg ?? '–');
    return new Response(document, { status: rendered ? 200 : 400, headers: MAIL_HEADERS });
  });
}

function textOfDraft(form: FormData, { subject, body }: Draft) {
  return {
    ...(form.has('subject') && { subject: subject || null }),
    ...((body !== '' || form.get('is-remote') === null) && { body: body || null }),
  };
}

/** Browsers send line breaks of text areas as CRLF. */
function draftOf(form: FormData): Draft {
  const text = (name: string) => String(form.get(name) ?? '').replaceAll('\r\n', '\n');
  return { subject: text('subject').trim(), body: text('body') };
}

async function call(
  { context }: VisitorArgs,
  method: 'GET' | 'POST',
  path: string,
  body?: unknown,
): Promise<Response | undefined> {
  return context
    .get(siteContext)
    .backend.callAdmin(path, method, body)
    ?.catch(() => undefined);
}
