/** The form of a schema change. Shows the SQL while it is filled in; without scripts, after it is sent once. */
import { useEffect, useRef, useState } from 'react';
import { Form, useNavigate, useNavigation } from 'react-router';
import { adminSchemaFormTexts } from '../../../texts/admin-schema-forms.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Field } from '../../../ui/field.tsx';
import type { StructureContext } from './definition.ts';
import { initialValues } from './form-field.ts';
import { FormFields } from './form-fields.tsx';
import { ProblemAlert } from './form-problem.tsx';
import { formOf } from './forms.ts';
import { structurePath } from './selection.ts';
import { type SchemaPlan, sqlOf } from './sql/plan.ts';
import { type FormValues, readFormValues } from './sql/values.ts';
import type { ChangeAccess, OpenForm } from './view.ts';

interface ChangeFormProps {
  open: OpenForm;
  context: StructureContext;
  access: ChangeAccess;
}

/** A form with its SQL. */
export function ChangeForm({ open, context, access }: ChangeFormProps) {
  const texts = useTexts(adminSchemaFormTexts);
  const { form, object, problem } = open;
  const { fields, plan: makePlan, asksForName, drops } = formOf(form);
  const shownFields = fields(context);
  const first = open.values ?? { ...firstValues(form), ...initialValues(shownFields) };
  const [values, setValues] = useState<FormValues>(first);
  const heading = useRef<HTMLHeadingElement>(null);
  const navigation = useNavigation();
  const close = structurePath({ schema: context.schema, table: context.table?.name ?? '' });
  const plan = makePlan(values, context);
  const onKeyDown = useEscape(close, sameValues(values, first));
  useEffect(() => heading.current?.focus(), []);
  return (
    <section aria-labelledby="change-title" className="card grid gap-5 p-5" onKeyDown={onKeyDown}>
      <header>
        <h2 id="change-title" ref={heading} tabIndex={-1} className="text-lead font-semibold outline-none">
          {texts.forms[form]} {object && <code className="font-mono text-body text-ink-muted">{object}</code>}
        </h2>
      </header>
      {problem && <ProblemAlert problem={problem} />}
      <Form
        method="post"
        preventScrollReset
        className="grid gap-5"
        onChange={(event) => setValues(readFormValues(new FormData(event.currentTarget)))}
        // Rows that are added or removed change the form without an event of a field.
        onClick={(event) => setValues(readFormValues(new FormData(event.currentTarget)))}
      >
        <input type="hidden" name="hash" value={open.hash} />
        <input type="hidden" name="basis" value={open.basis} />
        <input type="hidden" name="table" value={context.table?.name ?? ''} />
        <input type="hidden" name="shown" value={sqlOf(plan)} />
        {drops && <Dependents dependents={open.dependents} />}
        <div className="grid gap-5 sm:grid-cols-2">
          <FormFields
            fields={shownFields}
            values={first}
            missing={problem?.kind === 'missing' ? problem.fields : []}
            types={context.objects.types}
          />
        </div>
        <Preview plan={plan} />
        <div className="grid gap-5 sm:grid-cols-2">
          {access.writesMigrations && (
            <Field
              name="migration"
              label={texts.migrationName}
              hint={texts.migrationHint}
              placeholder={plan.name}
              defaultValue={open.migrationName}
              maxLength={100}
              pattern="[A-Za-z0-9_][A-Za-z0-9_ .\-]*"
              autoComplete="off"
            />
          )}
          {asksForName && (
            <Field
              name="confirmation"
              label={texts.confirmation(nameToType(open, context))}
              autoComplete="off"
              spellCheck={false}
            />
          )}
        </div>
        <div className="flex flex-wrap justify-end gap-2">
          <ButtonLink to={close} preventScrollReset>
            {texts.cancel}
          </ButtonLink>
          <Button
            type="submit"
            variant={drops ? 'danger' : 'primary'}
            isPending={navigation.state !== 'idle' && navigation.formMethod === 'POST'}
          >
            {texts.run}
          </Button>
        </div>
      </Form>
    </section>
  );
}

/** The columns of a new table have their values outside of the list of fields. */
function firstValues(form: OpenForm['form']): FormValues {
  return form === 'table.create' ? FIRST_COLUMNS : {};
}

/** The first column is a key, as in most tables. */
const FIRST_COLUMNS: FormValues = {
  'c0.name': ['id'],
  'c0.type': ['bigint'],
  'c0.identity': ['always'],
  'c0.primary': ['on'],
  'c1.name': ['created_at'],
  'c1.type': ['timestamp with time zone'],
  'c1.default': ['now()'],
  'c1.not_null': ['on'],
};

function nameToType({ form, object }: OpenForm, { table }: StructureContext): string {
  return form === 'table.drop' ? (table?.name ?? '') : object;
}

/** Escape closes a form that has no changes. */
function useEscape(path: string, isUnchanged: boolean) {
  const navigate = useNavigate();
  return (event: { key: string }) => {
    if (event.key === 'Escape' && isUnchanged) void navigate(path, { preventScrollReset: true });
  };
}

const HIDDEN = ['hash', 'basis', 'table', 'shown', 'migration', 'confirmation'];

function sameValues(values: FormValues, first: FormValues): boolean {
  const textOf = (of: FormValues) =>
    JSON.stringify(
      Object.entries(of)
        .filter(([name, texts]) => !HIDDEN.includes(name) && texts.some((text) => text !== ''))
        .sort(),
    );
  return textOf(values) === textOf(first);
}

function Preview({ plan }: { plan: SchemaPlan }) {
  const texts = useTexts(adminSchemaFormTexts);
  const sql = sqlOf(plan);
  const canUndo = plan.undo !== null && plan.undo.length > 0;
  return (
    <section aria-label={texts.sql} className="grid gap-1.5">
      <div className="flex items-center justify-between gap-2">
        <h3 className="text-body font-medium">{texts.sql}</h3>
        {sql && <CopyButton text={sql} label={texts.sql} />}
      </div>
      {sql ? (
        <pre
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable with the keyboard
          tabIndex={0}
          className="max-h-96 overflow-auto rounded-control border border-line bg-sunken p-3 font-mono text-small"
        >
          <code>{sql}</code>
        </pre>
      ) : (
        <p className="rounded-control border border-line bg-sunken p-3 text-small text-ink-muted">
          {plan.missing.length > 0 ? texts.noSql : texts.noChange}
        </p>
      )}
      {sql && <p className="text-small text-ink-muted">{canUndo ? texts.undoable : texts.notUndoable}</p>}
    </section>
  );
}

function Dependents({ dependents }: { dependents: readonly string[] }) {
  const texts = useTexts(adminSchemaFormTexts);
  if (dependents.length === 0) return <p className="text-body text-ink-muted">{texts.noDependents}</p>;
  return (
    <section aria-label={texts.dependents} className="grid gap-1.5">
      <h3 className="text-body font-medium">{texts.dependents}</h3>
      <ul className="grid list-disc gap-0.5 ps-5 text-small">
        {dependents.map((description) => (
          <li key={description} className="[overflow-wrap:anywhere]">
            {description}
          </li>
        ))}
      </ul>
    </section>
  );
}
