/** The templates: a list next to the form of the open one, with its previews and a test. */
import { Link, useLocation } from 'react-router';
import { mailboxTexts } from '../../../../texts/mailbox.ts';
import { mailboxTemplatesTexts } from '../../../../texts/mailbox-templates.ts';
import { useTexts } from '../../../../texts/use-texts.ts';
import { Alert } from '../../../../ui/alert.tsx';
import { Badge } from '../../../../ui/badge.tsx';
import { EmptyState } from '../../../../ui/empty-state.tsx';
import { Page } from '../../../../ui/page.tsx';
import { PageHeader } from '../../../../ui/page-header.tsx';
import { viewPath } from '../view-names.ts';
import { MailboxViews } from '../views.tsx';
import { TemplateEditor } from './template-editor.tsx';
import { TEMPLATE_GROUPS, type TemplateRow } from './template-list.ts';
import type { TemplateResult, TemplatesView } from './templates.server.ts';

/** `result` is that of the last form. */
export function Templates({ view, result }: { view: TemplatesView; result: TemplateResult | undefined }) {
  const texts = useTexts(mailboxTemplatesTexts);
  const { title, lead, tryAgain } = useTexts(mailboxTexts);
  return (
    <Page>
      <PageHeader title={title} description={lead} />
      <MailboxViews current="templates" />
      <Results result={result} />
      {view.kind === 'templates-unavailable' ? (
        <div className="card">
          <EmptyState
            icon="mail"
            title={texts.unavailable}
            text={view.isSupported ? tryAgain : texts.unsupported}
          />
        </div>
      ) : (
        <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,2fr)_minmax(0,5fr)]">
          <List rows={view.rows} current={view.open.kind} />
          <TemplateEditor key={`${view.open.kind} ${view.editing.hash}`} view={view} result={result} />
        </div>
      )}
    </Page>
  );
}

function Results({ result }: { result: TemplateResult | undefined }) {
  const texts = useTexts(mailboxTemplatesTexts);
  const notice = new URLSearchParams(useLocation().search).get('notice');
  if (result?.kind === 'template-sent')
    return <Alert kind="success">{result.isDelivered ? texts.results.sent : texts.results.kept}</Alert>;
  if (result?.kind === 'template-failed' && result.reason === 'conflict')
    return (
      <Alert kind="warning" title={texts.conflict.title}>
        {texts.conflict.text}
      </Alert>
    );
  if (result?.kind === 'template-failed')
    return (
      <Alert kind="error" title={texts.failed}>
        {result.reason === 'invalid' && result.message ? result.message : texts.tryAgain}
      </Alert>
    );
  if (notice === 'saved' || notice === 'reset') return <Alert kind="success">{texts.results[notice]}</Alert>;
  return null;
}

function List({ rows, current }: { rows: readonly TemplateRow[]; current: string }) {
  const texts = useTexts(mailboxTemplatesTexts);
  return (
    <nav aria-label={texts.list} className="card max-h-80 overflow-auto lg:max-h-none">
      {TEMPLATE_GROUPS.map((group) => (
        <div key={group} className="border-b border-line py-2 last:border-b-0">
          <h2 className="px-4 py-1 text-caption font-medium text-ink-muted">{texts.groups[group]}</h2>
          <ul>
            {rows
              .filter((row) => row.group === group)
              .map(({ kind, isChanged, isOff }) => (
                <li key={kind}>
                  <Link
                    to={viewPath('templates', { kind })}
                    preventScrollReset
                    aria-current={kind === current ? 'true' : undefined}
                    className="flex items-center justify-between gap-2 px-4 py-2 text-body transition-colors
                      -outline-offset-2! hover:bg-hover aria-[current]:bg-primary-wash"
                  >
                    <span className="min-w-0 truncate">{kindName(texts.kinds, kind)}</span>
                    {isChanged && <Badge tone="info">{texts.changed}</Badge>}
                    {isOff && !isChanged && <Badge>{texts.off}</Badge>}
                  </Link>
                </li>
              ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

/** Returns the name of a kind. An unknown one is shown as the backend writes it. */
function kindName(kinds: Readonly<Record<string, string>>, kind: string): string {
  return kinds[kind] ?? kind.replaceAll('_', ' ');
}
