/** The settings of a section: value, source, and the form that changes one of them. */
import { Form, useLocation, useNavigation } from 'react-router';
import { useIsHydrated } from '../../../lib/use-is-hydrated.ts';
import { adminSettingsTexts } from '../../../texts/admin-settings.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Badge, type BadgeTone } from '../../../ui/badge.tsx';
import { BreakableText } from '../../../ui/breakable-text.tsx';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { Field } from '../../../ui/field.tsx';
import { Select } from '../../../ui/select.tsx';
import { TextArea } from '../../../ui/text-area.tsx';
import { type SettingsSelection, settingsPath } from './sections.ts';
import { type Setting, textOfValue } from './setting.ts';
import type { SettingsResult, SettingsView } from './settings.server.ts';

const TONES: Readonly<Record<Setting['source'], BadgeTone>> = {
  default: 'neutral',
  config: 'primary',
  environment: 'info',
  env_file: 'info',
  command_line: 'info',
  database: 'warning',
  file: 'info',
};

interface ListProps {
  title: string;
  view: SettingsView & { kind: 'settings' };
  selection: SettingsSelection;
  result: SettingsResult | undefined;
}

/** The list. The setting that the URL names is highlighted. */
export function SettingList({ title, view, selection, result }: ListProps) {
  const named = useNamedSetting();
  return (
    <Card title={title}>
      <ul className="divide-y divide-line">
        {view.settings.map((setting) => (
          <li
            key={setting.name}
            id={setting.name}
            className={`grid scroll-mt-20 gap-2 px-5 py-4 ${setting.name === named ? 'bg-primary-wash' : ''}`}
          >
            <Heading setting={setting} selection={selection} />
            <Description setting={setting} />
            {selection.edit === setting.name && setting.edit && (
              <EditForm
                key={view.hash}
                setting={setting}
                hash={view.hash}
                selection={selection}
                problem={result?.kind === 'not-saved' && result.name === setting.name ? result : undefined}
              />
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** Returns the name after `#`. The server does not receive it, so there is none before hydration. */
function useNamedSetting(): string | undefined {
  const { hash } = useLocation();
  return useIsHydrated() ? hash.slice(1) : undefined;
}

function Heading({ setting, selection }: { setting: Setting; selection: SettingsSelection }) {
  const texts = useTexts(adminSettingsTexts);
  const { name, key, is_negated: isNegated, source, origin, edit, needs_restart: needsRestart } = setting;
  // The value is that of the variable.
  const [title, other] = key === null || isNegated ? [name, key] : [key, name];
  const isEditing = selection.edit === name;
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
      <div className="min-w-0">
        <h3 className="font-mono text-small font-semibold">
          <BreakableText text={title} />
        </h3>
        {other && (
          <p className="font-mono text-caption text-ink-muted">
            <BreakableText text={other} />
          </p>
        )}
      </div>
      <div className="flex flex-wrap items-center gap-2">
        {needsRestart && <Badge tone="warning">{texts.needsRestart}</Badge>}
        <Badge tone={TONES[source]}>{texts.sources[source]}</Badge>
        {origin !== '' && source !== 'default' && source !== 'environment' && (
          <span className="font-mono text-caption text-ink-muted [overflow-wrap:anywhere]">{origin}</span>
        )}
        {edit && !isEditing && (
          <ButtonLink
            to={`${settingsPath({ ...selection, edit: name })}#${name}`}
            size="small"
            preventScrollReset
            aria-label={texts.editOf(key ?? name)}
          >
            {texts.edit}
          </ButtonLink>
        )}
      </div>
    </div>
  );
}

function Description({ setting }: { setting: Setting }) {
  const texts = useTexts(adminSettingsTexts);
  const { description, refusal, requires } = setting;
  const reasons: Readonly<Record<string, string>> = texts.refusals;
  return (
    <>
      <p className="font-mono text-small [overflow-wrap:anywhere]">
        <Value setting={setting} />
      </p>
      <p className="text-small text-ink-muted [overflow-wrap:anywhere]">{description}</p>
      {requires && <p className="text-small text-ink-muted">{texts.requires(requires)}</p>}
      {refusal && <p className="text-small text-ink-muted">{reasons[refusal] ?? refusal}</p>}
    </>
  );
}

function Value({ setting: { value, is_secret: isSecret, is_set: isSet } }: { setting: Setting }) {
  const texts = useTexts(adminSettingsTexts);
  if (isSecret && isSet) return <span className="text-ink-muted">{texts.hidden}</span>;
  if (value === null) return <span className="text-ink-muted">{texts.notSet}</span>;
  if (value === '') return <span className="text-ink-muted">{texts.empty}</span>;
  return <>{value}</>;
}

interface EditFormProps {
  setting: Setting;
  hash: string | null;
  selection: SettingsSelection;
  problem: (SettingsResult & { kind: 'not-saved' }) | undefined;
}

function EditForm({ setting, hash, selection, problem }: EditFormProps) {
  const texts = useTexts(adminSettingsTexts);
  const isPending = useNavigation().state === 'submitting';
  const path = settingsPath(selection);
  return (
    <Form
      method="post"
      action={path}
      preventScrollReset
      className="grid grid-cols-1 gap-3 rounded-control border border-line bg-sunken p-4"
    >
      <input type="hidden" name="name" value={setting.name} />
      <input type="hidden" name="config_hash" value={hash ?? ''} />
      {problem && <Problem problem={problem} setting={setting} />}
      <ValueField setting={setting} text={problem?.text} />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" name="intent" value="save" variant="primary" isPending={isPending}>
          {texts.save}
        </Button>
        {setting.edit?.is_in_file && (
          <Button type="submit" name="intent" value="reset" formNoValidate>
            {texts.reset}
          </Button>
        )}
        <ButtonLink to={settingsPath({ ...selection, edit: '' })} variant="ghost" preventScrollReset>
          {texts.cancel}
        </ButtonLink>
      </div>
    </Form>
  );
}

function Problem({
  problem,
  setting,
}: {
  problem: SettingsResult & { kind: 'not-saved' };
  setting: Setting;
}) {
  const texts = useTexts(adminSettingsTexts);
  if (problem.reason === 'conflict') {
    const current = setting.edit === null ? '' : textOfValue(setting.edit.value);
    return (
      <Alert kind="warning" title={texts.conflict.title}>
        {texts.conflict.text(current.replaceAll('\n', ', '), problem.text.replaceAll('\n', ', '))}
      </Alert>
    );
  }
  return (
    <Alert kind="error" title={texts.failed}>
      {problem.reason === 'invalid' ? problem.message : texts.tryAgain}
    </Alert>
  );
}

/** `text` is the value that was not saved. */
function ValueField({ setting, text }: { setting: Setting; text: string | undefined }) {
  const texts = useTexts(adminSettingsTexts);
  const { edit, allowed, default: initial } = setting;
  if (edit === null) return null;
  const value = text ?? textOfValue(edit.value);
  const hint = `${texts.allowed} ${allowed}${initial ? ` · ${texts.default}: ${initial}` : ''}`;
  const shared = { label: texts.value, hint, name: 'value', defaultValue: value, autoFocus: true };
  if (edit.kind === 'boolean' || edit.kind === 'choice') {
    const options = edit.kind === 'boolean' ? ['true', 'false'] : edit.choices;
    return (
      <Select {...shared}>
        {options.map((option) => (
          <option key={option} value={option}>
            {option}
          </option>
        ))}
      </Select>
    );
  }
  if (edit.kind === 'list' || value.includes('\n'))
    return (
      <TextArea
        {...shared}
        hint={edit.kind === 'list' ? `${texts.listHint} ${hint}` : hint}
        rows={4}
        spellCheck={false}
        className="font-mono text-small"
      />
    );
  return (
    <Field
      {...shared}
      inputMode={edit.kind === 'number' ? 'decimal' : 'text'}
      autoComplete="off"
      spellCheck={false}
      className="font-mono text-small"
    />
  );
}
