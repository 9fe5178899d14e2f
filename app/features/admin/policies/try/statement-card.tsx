/** The form of the statement to try. */
import { useState } from 'react';
import { Form, useNavigation } from 'react-router';
import { useIsHydrated } from '../../../../lib/use-is-hydrated.ts';
import { tryTexts } from '../../../../texts/admin-policies-try.ts';
import { useTexts } from '../../../../texts/use-texts.ts';
import { Button } from '../../../../ui/button.tsx';
import { Card } from '../../../../ui/card.tsx';
import { Checkbox } from '../../../../ui/checkbox.tsx';
import { Select } from '../../../../ui/select.tsx';
import { TextArea } from '../../../../ui/text-area.tsx';
import { VERBS, type Verb } from '../access/model.ts';
import type { TableDetail } from '../access/table-detail.ts';
import { policiesPath, type Selection } from '../selection.ts';
import type { TryData } from './results.ts';

const CLAIMS = `{
  "sub": "00000000-0000-0000-0000-000000000000",
  "role": "authenticated",
  "aal": "aal1",
  "app_metadata": {},
  "user_metadata": {},
  "is_anonymous": false
}`;

/** Shows the form. Without scripts, all fields are visible. */
export function StatementCard(props: { data: TryData; detail: TableDetail; selection: Selection }) {
  const { data, detail, selection } = props;
  const texts = useTexts(tryTexts);
  const isHydrated = useIsHydrated();
  const [verb, setVerb] = useState<Verb>('select');
  const isPending = useNavigation().state === 'submitting';
  const isReady = selection.as === 'claims' || data.claims !== undefined;
  const has = (verbs: readonly Verb[]) => !isHydrated || verbs.includes(verb);
  return (
    <Card title={texts.statement} footer={texts.safe}>
      <Form method="post" action={policiesPath(selection)} preventScrollReset className="grid gap-5 p-5">
        <input type="hidden" name="intent" value="try" />
        {selection.as === 'claims' && (
          <TextArea
            label={texts.claims}
            hint={texts.claimsHint}
            name="claims"
            defaultValue={CLAIMS}
            rows={8}
            {...CODE}
          />
        )}
        <Select
          label={texts.verb}
          name="verb"
          value={verb}
          onChange={(event) => setVerb(VERBS.find((name) => name === event.target.value) ?? 'select')}
        >
          {VERBS.map((name) => (
            <option key={name} value={name}>
              {texts.verbs[name]}
            </option>
          ))}
        </Select>
        <div hidden={!has(['select', 'update', 'delete'])}>
          <TextArea label={texts.condition} hint={texts.conditionHint} name="condition" rows={2} {...CODE} />
        </div>
        <div hidden={!has(['insert', 'update'])}>
          <TextArea
            label={texts.values}
            hint={texts.valuesHint}
            name="values"
            defaultValue={sampleOf(detail)}
            {...CODE}
          />
        </div>
        <div hidden={!has(['insert', 'update', 'delete'])}>
          <Checkbox name="returning" value="true" label={texts.returning} hint={texts.returningHint} />
        </div>
        <TextArea label={texts.sql} hint={texts.sqlHint} name="sql" rows={2} {...CODE} />
        <div className="flex flex-wrap items-center justify-end gap-3">
          {!isReady && <p className="text-small text-ink-muted">{texts.choose}</p>}
          <Button type="submit" variant="primary" isPending={isPending} disabled={!isReady}>
            {texts.run}
          </Button>
        </div>
      </Form>
    </Card>
  );
}

const CODE = { spellCheck: false, className: 'font-mono text-small' } as const;

/** The columns that an insert must contain. */
function sampleOf({ columns }: TableDetail): string {
  const required = columns.filter(({ isRequired, isGenerated }) => isRequired && !isGenerated);
  return JSON.stringify(Object.fromEntries(required.map(({ name }) => [name, ''])), null, 2);
}
