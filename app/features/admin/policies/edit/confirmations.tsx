/** The confirmations before row-level security is switched and before a policy is dropped. They show the SQL. */
import { Form, useNavigation } from 'react-router';
import { policiesTexts } from '../../../../texts/admin-policies.ts';
import { policyEditorTexts } from '../../../../texts/admin-policies-editor.ts';
import { useTexts } from '../../../../texts/use-texts.ts';
import { Button, ButtonLink } from '../../../../ui/button.tsx';
import { ConfirmDialog } from '../../../account/confirm-dialog.tsx';
import type { TableInfo } from '../access/model.ts';
import { SqlBlock } from '../access/sentence.tsx';
import { policiesPath, type Selection, tableOf } from '../selection.ts';
import { baseOf } from './draft.ts';
import { dropPolicySql, type RlsSwitch, rlsSql } from './policy-sql.ts';

const SWITCHES: readonly RlsSwitch[] = ['enable', 'disable', 'force', 'no force'];

/** Props of the confirmations. */
interface ConfirmationProps {
  table: TableInfo;
  selection: Selection;
}

/** Confirms the switch that the URL names. */
export function ConfirmRls({ table, selection }: ConfirmationProps) {
  const { rls } = useTexts(policiesTexts);
  const change = SWITCHES.find((name) => name === selection.rls);
  if (change === undefined) return null;
  return (
    <Confirmation
      title={rls.confirm[change]}
      text={rls.effects[change]}
      sql={rlsSql(table, change)}
      submit={rls[change]}
      isDanger={change === 'disable'}
      fields={{ intent: 'rls', change }}
      selection={selection}
    />
  );
}

/** Confirms that the policy that the URL names is dropped. */
export function ConfirmDrop({ table, selection }: ConfirmationProps) {
  const texts = useTexts(policiesTexts);
  const policy = table.policies.find(({ name }) => name === selection.drop);
  if (policy === undefined) return null;
  return (
    <Confirmation
      title={texts.confirmDrop(policy.name)}
      text={texts.dropText}
      sql={dropPolicySql(table, policy)}
      submit={texts.drop}
      isDanger
      fields={{ intent: 'drop-policy', base: baseOf(policy) }}
      selection={selection}
    />
  );
}

function Confirmation(props: {
  title: string;
  text: string;
  sql: string;
  submit: string;
  isDanger: boolean;
  fields: Readonly<Record<string, string>>;
  selection: Selection;
}) {
  const { title, text, sql, submit, isDanger, fields, selection } = props;
  const { cancel } = useTexts(policiesTexts);
  const editor = useTexts(policyEditorTexts);
  const closeTo = policiesPath(tableOf(selection));
  const isPending = useNavigation().state === 'submitting';
  return (
    <ConfirmDialog title={title} text={text} closeTo={closeTo}>
      <Form method="post" action={closeTo} className="grid gap-4">
        {Object.entries(fields).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <SqlBlock label={editor.sql} sql={sql} />
        <div className="flex flex-wrap justify-end gap-2">
          <ButtonLink to={closeTo} preventScrollReset>
            {cancel}
          </ButtonLink>
          <Button type="submit" variant={isDanger ? 'danger' : 'primary'} isPending={isPending}>
            {submit}
          </Button>
        </div>
      </Form>
    </ConfirmDialog>
  );
}
