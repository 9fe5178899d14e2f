/** The form of a policy. It shows the SQL that will run while its fields change. */
import { type ReactNode, useState } from 'react';
import { Form, useNavigation } from 'react-router';
import { policiesTexts } from '../../../../texts/admin-policies.ts';
import { policyEditorTexts } from '../../../../texts/admin-policies-editor.ts';
import { useTexts } from '../../../../texts/use-texts.ts';
import { Button, ButtonLink } from '../../../../ui/button.tsx';
import { Card } from '../../../../ui/card.tsx';
import { Checkbox } from '../../../../ui/checkbox.tsx';
import { Field } from '../../../../ui/field.tsx';
import { Select } from '../../../../ui/select.tsx';
import { TextArea } from '../../../../ui/text-area.tsx';
import { type Policy, type PolicyDefinition, type TableInfo, VERBS } from '../access/model.ts';
import { SqlBlock } from '../access/sentence.tsx';
import type { TableDetail } from '../access/table-detail.ts';
import { policiesPath, type Selection, tableOf } from '../selection.ts';
import { baseOf, readDraft, shownPolicy } from './draft.ts';
import { changePolicySql, clausesOf, createPolicySql } from './policy-sql.ts';
import { isTemplateId, templateFor, templatesFor } from './templates.ts';

const BLANK: PolicyDefinition = {
  name: '',
  command: 'all',
  isPermissive: true,
  roles: ['authenticated'],
  using: '',
  check: '',
};

/** `policy` is the one to change; undefined for a new one. */
export function PolicyEditor(props: {
  detail: TableDetail;
  selection: Selection;
  policy: Policy | undefined;
}) {
  const { detail, selection, policy } = props;
  const texts = useTexts(policyEditorTexts);
  const { table, columns, roles } = detail;
  const template = isTemplateId(selection.new) ? templateFor(selection.new, columns) : BLANK;
  const [draft, setDraft] = useState<PolicyDefinition>(policy ? shownPolicy(policy) : template);
  const isPending = useNavigation().state === 'submitting';
  const closeTo = policiesPath(tableOf(selection));
  return (
    <Card title={policy ? texts.editTitle(policy.name) : texts.createTitle}>
      <div className="grid gap-5 p-5">
        {!policy && <TemplateForm table={table} selection={selection} />}
        <Form
          method="post"
          action={policiesPath({ ...tableOf(selection), edit: selection.edit, new: selection.new })}
          preventScrollReset
          onChange={(event) => setDraft(readDraft(new FormData(event.currentTarget)))}
          className="grid gap-5"
        >
          <input type="hidden" name="intent" value="save-policy" />
          {policy && <input type="hidden" name="base" value={baseOf(policy)} />}
          <Fields draft={draft} roleNames={['public', ...roles.map(({ name }) => name)]} />
          <SqlBlock label={texts.sql} sql={sqlOf(table, policy, draft) || texts.noChange} />
          <div className="flex flex-wrap justify-end gap-2">
            <ButtonLink to={closeTo} preventScrollReset>
              {texts.cancel}
            </ButtonLink>
            <Button type="submit" variant="primary" isPending={isPending}>
              {policy ? texts.save : texts.create}
            </Button>
          </div>
        </Form>
      </div>
    </Card>
  );
}

function sqlOf(table: TableInfo, policy: Policy | undefined, draft: PolicyDefinition): string {
  return policy ? changePolicySql(table, shownPolicy(policy), draft) : createPolicySql(table, draft);
}

/** A link to each template would be a long list; a form works without scripts, too. */
function TemplateForm({ table, selection }: { table: TableInfo; selection: Selection }) {
  const texts = useTexts(policyEditorTexts);
  return (
    <Form
      method="get"
      preventScrollReset
      className="grid grid-cols-[minmax(0,1fr)_auto] items-end gap-3 border-b border-line pb-5"
    >
      <input type="hidden" name="schema" value={table.schema} />
      <input type="hidden" name="table" value={table.name} />
      <Select label={texts.template} name="new" defaultValue={selection.new}>
        {templatesFor(table).map((id) => (
          <option key={id} value={id}>
            {texts.templates[id]}
          </option>
        ))}
        <option value="blank">{texts.blank}</option>
      </Select>
      <Button type="submit" size="large">
        {texts.use}
      </Button>
    </Form>
  );
}

function Fields({ draft, roleNames }: { draft: PolicyDefinition; roleNames: readonly string[] }) {
  const texts = useTexts(policyEditorTexts);
  const { commands, permissive, restrictive, kindHints, ...labels } = useTexts(policiesTexts);
  const clauses = clausesOf(draft.command);
  return (
    <>
      <Field
        label={texts.name}
        name="name"
        required
        maxLength={63}
        defaultValue={draft.name}
        autoComplete="off"
      />
      <div className="grid grid-cols-1 gap-5 sm:grid-cols-2">
        <Select label={texts.command} name="command" defaultValue={draft.command}>
          {(['all', ...VERBS] as const).map((command) => (
            <option key={command} value={command}>
              {commands[command]}
            </option>
          ))}
        </Select>
        <Select
          label={texts.kind}
          name="permissive"
          defaultValue={String(draft.isPermissive)}
          hint={draft.isPermissive ? kindHints.permissive : kindHints.restrictive}
        >
          <option value="true">{permissive}</option>
          <option value="false">{restrictive}</option>
        </Select>
      </div>
      <RoleFields draft={draft} roleNames={roleNames} />
      <ClauseField isShown={clauses.using}>
        <TextArea
          label={labels.using}
          hint={texts.usingHint}
          name="using"
          defaultValue={draft.using ?? ''}
          spellCheck={false}
          className="font-mono text-small"
        />
      </ClauseField>
      <ClauseField isShown={clauses.check}>
        <TextArea
          label={labels.check}
          hint={texts.checkHint}
          name="check"
          defaultValue={draft.check ?? ''}
          spellCheck={false}
          className="font-mono text-small"
        />
      </ClauseField>
    </>
  );
}

/** A hidden field keeps its text for another command. */
function ClauseField({ isShown, children }: { isShown: boolean; children: ReactNode }) {
  return <div hidden={!isShown}>{children}</div>;
}

function RoleFields({ draft, roleNames }: { draft: PolicyDefinition; roleNames: readonly string[] }) {
  const texts = useTexts(policyEditorTexts);
  const names = [...new Set([...roleNames, ...draft.roles])];
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1.5 text-body font-medium">{texts.roles}</legend>
      <div className="flex flex-wrap gap-x-6 gap-y-2">
        {names.map((name) => (
          <Checkbox
            key={name}
            name="roles"
            value={name}
            label={name === 'public' ? texts.everyRole : name}
            defaultChecked={draft.roles.includes(name)}
          />
        ))}
      </div>
    </fieldset>
  );
}
