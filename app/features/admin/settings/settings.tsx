/** The settings: a navigation of sections and a search next to the selected section. */
import { Form, Link, useLocation } from 'react-router';
import { formatNumber } from '../../../lib/format/number.ts';
import { changeRefusalTexts } from '../../../texts/admin-changes.ts';
import { adminSettingsTexts } from '../../../texts/admin-settings.ts';
import { useLanguage, useTexts } from '../../../texts/use-texts.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Field } from '../../../ui/field.tsx';
import { Page } from '../../../ui/page.tsx';
import { PageHeader } from '../../../ui/page-header.tsx';
import { Connections } from './connections.tsx';
import { Keys } from './keys.tsx';
import { SECTIONS, type SettingsSelection, settingsPath } from './sections.ts';
import { SettingList } from './setting-list.tsx';
import type { SettingsResult, SettingsView } from './settings.server.ts';

interface SettingsProps {
  view: SettingsView;
  selection: SettingsSelection;
  /** The result of the last form. */
  result: SettingsResult | undefined;
}

/** The page. */
export function Settings({ view, selection, result }: SettingsProps) {
  const texts = useTexts(adminSettingsTexts);
  if (view.kind !== 'settings') {
    const [title, text] =
      view.kind === 'hosted' ? [texts.hosted, texts.hostedText] : [texts.unavailable, texts.tryAgain];
    return (
      <Page>
        <PageHeader title={texts.title} description={texts.lead} />
        <div className="card">
          <EmptyState icon="info" title={title} text={text} />
        </div>
      </Page>
    );
  }
  return (
    <Page>
      <PageHeader
        title={texts.title}
        description={view.configPath === null ? texts.lead : texts.leadWithFile(view.configPath)}
      />
      <Notice />
      {view.refusal && <ReadOnly refusal={view.refusal} />}
      <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[13rem_minmax(0,1fr)]">
        <div className="grid min-w-0 grid-cols-1 gap-4">
          <Search q={selection.q} />
          <Sections selection={selection} />
        </div>
        <div className="grid min-w-0 grid-cols-1 gap-6">
          <Section view={view} selection={selection} result={result} />
        </div>
      </div>
    </Page>
  );
}

function Notice() {
  const { results } = useTexts(adminSettingsTexts);
  const search = new URLSearchParams(useLocation().search);
  const [notice, key = ''] = [search.get('notice'), search.get('changed') ?? undefined];
  if (notice !== 'saved' && notice !== 'unchanged') return null;
  return <Alert kind="success">{results[notice](key)}</Alert>;
}

function ReadOnly({ refusal }: { refusal: string }) {
  const { readOnly } = useTexts(adminSettingsTexts);
  const changes = useTexts(changeRefusalTexts);
  const reasons: Readonly<Record<string, string>> = { ...changes, config_file: readOnly.config_file };
  return (
    <Alert kind="info" title={readOnly.title}>
      {reasons[refusal] ?? changes.setting}
    </Alert>
  );
}

/** A plain form, so that the results have a URL. */
function Search({ q }: { q: string }) {
  const texts = useTexts(adminSettingsTexts);
  return (
    <Form key={q} method="get" action="/admin/settings" role="search" className="grid gap-2">
      <Field
        label={texts.search}
        name="q"
        type="search"
        defaultValue={q}
        placeholder={texts.searchPlaceholder}
        maxLength={100}
        autoComplete="off"
      />
      <Button type="submit">{texts.submitSearch}</Button>
    </Form>
  );
}

function Sections({ selection: { section, q } }: { selection: SettingsSelection }) {
  const texts = useTexts(adminSettingsTexts);
  return (
    <nav aria-label={texts.sections} className="scroll-row">
      <ul className="flex gap-1 lg:grid">
        {SECTIONS.map((name) => (
          <li key={name}>
            <Link
              to={settingsPath({ section: name })}
              aria-current={q === '' && name === section ? 'true' : undefined}
              className="flex h-9 items-center rounded-control px-3 text-body whitespace-nowrap text-ink-muted
                transition-colors -outline-offset-2! hover:bg-hover hover:text-ink aria-[current]:bg-primary-wash
                aria-[current]:text-ink"
            >
              {texts.sectionNames[name]}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Section({ view, selection, result }: SettingsProps & { view: SettingsView & { kind: 'settings' } }) {
  const texts = useTexts(adminSettingsTexts);
  const language = useLanguage();
  if (view.keys) return <Keys keys={view.keys} result={result} />;
  if (view.connections) return <Connections connections={view.connections} result={result} />;
  const { settings, hidden } = view;
  const title =
    selection.q === ''
      ? texts.sectionNames[selection.section]
      : texts.found(formatNumber(settings.length, language));
  if (settings.length === 0) {
    return (
      <div className="card">
        <EmptyState icon="search" title={texts.none} text={texts.noneText} />
      </div>
    );
  }
  return (
    <>
      <SettingList title={title} view={view} selection={selection} result={result} />
      {hidden > 0 && (
        <ButtonLink
          to={settingsPath({ ...selection, all: true })}
          preventScrollReset
          className="justify-self-start"
        >
          {texts.showAll}
        </ButtonLink>
      )}
    </>
  );
}
