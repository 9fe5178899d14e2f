/**
 * The form of a template. Its buttons for previews send the draft to frames, which works without scripts; with scripts, one button
 * sends it to both.
 */
import { type FormEvent, useRef } from 'react';
import { useNavigation, useSubmit } from 'react-router';
import { withBase } from '../../../../lib/page/base-path.ts';
import { usePage } from '../../../../lib/page/page-context.tsx';
import { useIsHydrated } from '../../../../lib/use-is-hydrated.ts';
import { mailboxTemplatesTexts } from '../../../../texts/mailbox-templates.ts';
import { useTexts } from '../../../../texts/use-texts.ts';
import { Alert } from '../../../../ui/alert.tsx';
import { Button, ButtonLink } from '../../../../ui/button.tsx';
import { Card } from '../../../../ui/card.tsx';
import { Checkbox } from '../../../../ui/checkbox.tsx';
import { Field } from '../../../../ui/field.tsx';
import { Select } from '../../../../ui/select.tsx';
import { TextArea } from '../../../../ui/text-area.tsx';
import { ConfirmDialog, useConfirmation } from '../../../account/confirm-dialog.tsx';
import { MAIL_SANDBOX } from '../mail-document.ts';
import { MAILBOX } from '../selection.ts';
import { viewPath } from '../view-names.ts';
import type { MailText, Template } from './template-list.ts';
import type { TemplateResult, TemplatesView } from './templates.server.ts';

const LANGUAGES = ['en', 'de'] as const;
const PREVIEW = `${MAILBOX}/preview`;
const FORM = 'template';
const SUBMIT_PAUSE_MS = 100;

type View = TemplatesView & { kind: 'templates' };

/** The form with its previews. */
export function TemplateEditor({ view, result }: { view: View; result: TemplateResult | undefined }) {
  const texts = useTexts(mailboxTemplatesTexts);
  const { open, editing, isReplacedByHook } = view;
  const names: Readonly<Record<string, string>> = texts.kinds;
  return (
    <div className="grid min-w-0 grid-cols-1 gap-6">
      {isReplacedByHook && (
        <Alert kind="warning" title={texts.hookTitle}>
          {texts.hookText}
        </Alert>
      )}
      {editing.refusal && <ReadOnly refusal={editing.refusal} />}
      <Card title={names[open.kind] ?? open.kind} description={<Origin open={open} />}>
        <Draft view={view} draft={result?.draft} />
        {result?.kind === 'template-failed' && result.reason === 'conflict' && <Saved open={open} />}
      </Card>
      <Previews kind={open.kind} />
      <ConfirmReset view={view} />
    </div>
  );
}

function Origin({ open }: { open: Template }) {
  const texts = useTexts(mailboxTemplatesTexts);
  if (open.channel === 'sms') return null;
  if (!open.location) return <>{open.subject ? texts.builtInWithSubject : texts.builtIn}</>;
  if (/^https?:/i.test(open.location)) return <>{texts.remote}</>;
  return (
    <>
      {texts.locationHint} <span className="font-mono [overflow-wrap:anywhere]">{open.location}</span>
    </>
  );
}

function ReadOnly({ refusal }: { refusal: string }) {
  const { readOnly, refusals } = useTexts(mailboxTemplatesTexts);
  const reasons: Readonly<Record<string, string>> = refusals;
  return (
    <Alert kind="info" title={readOnly}>
      {reasons[refusal] ?? refusals.other}
    </Alert>
  );
}

/** The text that another administrator has saved. */
function Saved({ open }: { open: Template }) {
  const { conflict } = useTexts(mailboxTemplatesTexts);
  return (
    <div className="grid gap-1 border-t border-line p-5">
      <h3 className="text-small font-medium">{conflict.saved}</h3>
      <pre className="max-h-60 overflow-auto rounded-control bg-sunken p-3 font-mono text-small whitespace-pre-wrap">
        {`${open.subject ?? ''}\n${open.body ?? ''}`.trim() || '–'}
      </pre>
    </div>
  );
}

function Draft({ view, draft }: { view: View; draft: TemplateResult['draft'] | undefined }) {
  const texts = useTexts(mailboxTemplatesTexts);
  const { baseURL } = usePage().config;
  const { open, editing } = view;
  const form = useRef<HTMLFormElement>(null);
  const submit = useSubmit();
  const isMail = open.channel === 'mail';
  const address = viewPath('templates', { kind: open.kind });
  const send = (event: FormEvent<HTMLFormElement>) => {
    const { submitter } = event.nativeEvent as SubmitEvent;
    // The browser sends previews to their frames.
    if (submitter instanceof HTMLButtonElement && submitter.formTarget.startsWith('preview')) return;
    event.preventDefault();
    void submit(submitter instanceof HTMLButtonElement ? submitter : event.currentTarget, {
      method: 'post',
      action: address,
      preventScrollReset: true,
    });
  };
  return (
    <form
      ref={form}
      id={FORM}
      method="post"
      action={withBase(address, baseURL)}
      onSubmit={send}
      className="grid grid-cols-1 gap-4 p-5"
    >
      <input type="hidden" name="kind" value={open.kind} />
      <input type="hidden" name="config_hash" value={editing.hash ?? ''} />
      {isRemote(open) && <input type="hidden" name="is-remote" value="1" />}
      {isMail && (
        <Field
          label={texts.subject}
          hint={texts.subjectHint}
          name="subject"
          defaultValue={draft?.subject ?? open.subject ?? ''}
          maxLength={1000}
          autoComplete="off"
        />
      )}
      <TextArea
        label={isMail ? texts.body : texts.text}
        hint={isMail ? texts.bodyHint : texts.textHint}
        name="body"
        defaultValue={draft?.body ?? open.body ?? ''}
        rows={isMail ? 14 : 3}
        spellCheck={false}
        className="font-mono text-small"
      />
      <Variables names={open.variables} form={form} />
      {open.built_in && <Starters builtIn={open.built_in} form={form} />}
      {open.kind.endsWith('_notification') && (
        <>
          <input type="hidden" name="has-switch" value="1" />
          <Checkbox label={texts.enabled} name="is_enabled" defaultChecked={open.is_enabled === true} />
        </>
      )}
      <Buttons open={open} canSave={editing.refusal === null} form={form} />
      <TestSend isMail={isMail} />
    </form>
  );
}

function isRemote({ location }: Template): boolean {
  return /^https?:/i.test(location ?? '');
}

type FormRef = React.RefObject<HTMLFormElement | null>;

/** Inserts a variable at the cursor of the text. Without scripts, it is a list. */
function Variables({ names, form }: { names: readonly string[]; form: FormRef }) {
  const texts = useTexts(mailboxTemplatesTexts);
  const isHydrated = useIsHydrated();
  const insert = (name: string) => {
    const area = form.current?.elements.namedItem('body');
    if (!(area instanceof HTMLTextAreaElement)) return;
    area.setRangeText(`{{ .${name} }}`, area.selectionStart, area.selectionEnd, 'end');
    area.focus();
  };
  return (
    <div className="grid gap-1.5">
      <h3 className="text-small font-medium">{texts.variables}</h3>
      <ul className="flex flex-wrap gap-1.5">
        {names.map((name) => (
          <li key={name}>
            {isHydrated ? (
              <Button
                type="button"
                size="small"
                aria-label={texts.insert(name)}
                onClick={() => insert(name)}
                className="font-mono"
              >{`{{ .${name} }}`}</Button>
            ) : (
              <code className="font-mono text-small">{`{{ .${name} }}`}</code>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Fills the form with the built-in mail of a language; empty without scripts. */
function Starters({ builtIn, form }: { builtIn: Readonly<Record<'en' | 'de', MailText>>; form: FormRef }) {
  const texts = useTexts(mailboxTemplatesTexts);
  if (!useIsHydrated()) return null;
  const fill = ({ subject, html }: MailText) => {
    const { elements } = form.current ?? {};
    const [title, body] = [elements?.namedItem('subject'), elements?.namedItem('body')];
    if (title instanceof HTMLInputElement) title.value = subject;
    if (body instanceof HTMLTextAreaElement) body.value = html;
  };
  return (
    <div className="flex flex-wrap items-center gap-2 text-small">
      {texts.startFrom}:
      <Button type="button" size="small" onClick={() => fill(builtIn.en)}>
        {texts.english}
      </Button>
      <Button type="button" size="small" onClick={() => fill(builtIn.de)}>
        {texts.german}
      </Button>
    </div>
  );
}

function Buttons({ open, canSave, form }: { open: Template; canSave: boolean; form: FormRef }) {
  const texts = useTexts(mailboxTemplatesTexts);
  const { baseURL } = usePage().config;
  const isHydrated = useIsHydrated();
  const isPending = useNavigation().state === 'submitting';
  const languages = { en: texts.english, de: texts.german };
  const previewAll = () => {
    const buttons = form.current?.querySelectorAll<HTMLButtonElement>('button[formtarget]') ?? [];
    // A form that is submitted again at once navigates only the last frame.
    for (const [index, button] of [...buttons].entries())
      setTimeout(() => form.current?.requestSubmit(button), index * SUBMIT_PAUSE_MS);
  };
  return (
    <div className="flex flex-wrap items-center gap-2">
      {canSave && (
        <Button type="submit" name="intent" value="save" variant="primary" isPending={isPending}>
          {texts.save}
        </Button>
      )}
      {isHydrated && (
        <Button type="button" onClick={previewAll}>
          {texts.preview}
        </Button>
      )}
      {LANGUAGES.map((language) => (
        <Button
          key={language}
          type="submit"
          name="language"
          value={language}
          formAction={withBase(PREVIEW, baseURL)}
          formTarget={`preview-${language}`}
          hidden={isHydrated}
          className={isHydrated ? 'hidden!' : ''}
        >
          {texts.previewIn(languages[language])}
        </Button>
      ))}
      {canSave && (
        <ButtonLink
          to={viewPath('templates', { kind: open.kind, ask: 'reset' })}
          variant="ghost"
          preventScrollReset
        >
          {texts.reset}
        </ButtonLink>
      )}
    </div>
  );
}

/** Sends the draft of the form, so its fields belong to the same form. */
function TestSend({ isMail }: { isMail: boolean }) {
  const { test, english, german } = useTexts(mailboxTemplatesTexts);
  return (
    <fieldset className="grid min-w-0 grid-cols-1 gap-3 border-t border-line pt-4 sm:grid-cols-[minmax(0,1fr)_auto_auto] sm:items-end">
      <legend className="sr-only">{test.title}</legend>
      <p className="text-small text-ink-muted sm:col-span-3">{test.lead}</p>
      <Field
        label={isMail ? test.to : test.phone}
        name="to"
        type={isMail ? 'email' : 'tel'}
        autoComplete="off"
      />
      <Select label={test.language} name="language" defaultValue="en">
        <option value="en">{english}</option>
        <option value="de">{german}</option>
      </Select>
      <Button type="submit" name="intent" value="send" className="h-11 sm:h-10">
        {test.submit}
      </Button>
    </fieldset>
  );
}

function Previews({ kind }: { kind: string }) {
  const texts = useTexts(mailboxTemplatesTexts);
  const { baseURL } = usePage().config;
  const languages = { en: texts.english, de: texts.german };
  return (
    <div className="grid grid-cols-1 gap-4 xl:grid-cols-2">
      {LANGUAGES.map((language) => (
        <figure key={language} className="grid min-w-0 gap-1.5">
          <figcaption className="text-small font-medium">{languages[language]}</figcaption>
          <iframe
            name={`preview-${language}`}
            title={texts.previewIn(languages[language])}
            src={withBase(`${PREVIEW}?${new URLSearchParams({ kind, language })}`, baseURL)}
            sandbox={MAIL_SANDBOX}
            referrerPolicy="no-referrer"
            className="h-128 w-full rounded-control border border-line bg-white scheme-light"
          />
        </figure>
      ))}
    </div>
  );
}

/** The confirmation sends the values of the loaded template. */
function ConfirmReset({ view: { open, editing } }: { view: View }) {
  const { confirmReset, reset } = useTexts(mailboxTemplatesTexts);
  const { baseURL } = usePage().config;
  const submit = useSubmit();
  const path = viewPath('templates', { kind: open.kind });
  if (useConfirmation('reset') === undefined) return null;
  return (
    <ConfirmDialog title={confirmReset.title} text={confirmReset.text} closeTo={path}>
      <form
        method="post"
        action={withBase(path, baseURL)}
        onSubmit={(event) => {
          event.preventDefault();
          void submit(event.currentTarget, { method: 'post', action: path });
        }}
        className="flex flex-wrap justify-end gap-2"
      >
        <input type="hidden" name="intent" value="reset" />
        <input type="hidden" name="kind" value={open.kind} />
        <input type="hidden" name="config_hash" value={editing.hash ?? ''} />
        <ButtonLink to={path} preventScrollReset>
          {confirmReset.cancel}
        </ButtonLink>
        <Button type="submit" variant="danger">
          {reset}
        </Button>
      </form>
    </ConfirmDialog>
  );
}
