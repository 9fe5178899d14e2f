/** The caller of the statement: a visitor without a session, a user, or claims that the administrator enters. */
import { Form, Link } from 'react-router';
import { tryTexts } from '../../../../texts/admin-policies-try.ts';
import { useTexts } from '../../../../texts/use-texts.ts';
import { Button } from '../../../../ui/button.tsx';
import { Card } from '../../../../ui/card.tsx';
import { Field } from '../../../../ui/field.tsx';
import { SegmentedLinks } from '../../../../ui/segmented-control.tsx';
import { SqlBlock } from '../access/sentence.tsx';
import { policiesPath, type Selection, tableOf } from '../selection.ts';
import type { FoundPerson, TryData } from './results.ts';

/** The part of the selection that stays when the caller changes. */
function pathOf(selection: Selection, change: Partial<Selection>): string {
  return policiesPath({ ...tableOf(selection), tab: 'try', ...change });
}

/** Shows the choice. The selection is part of the URL. */
export function CallerCard({ data, selection }: { data: TryData; selection: Selection }) {
  const texts = useTexts(tryTexts);
  return (
    <Card title={texts.caller}>
      <div className="grid gap-4 p-5">
        <SegmentedLinks
          label={texts.caller}
          links={(['anon', 'person', 'claims'] as const).map((as) => ({
            to: pathOf(selection, { as }),
            label: texts.callers[as],
            isCurrent: selection.as === as,
          }))}
        />
        {selection.as === 'person' && <PersonSearch people={data.people} selection={selection} />}
        {selection.as === 'person' && data.claims !== undefined && <AssuranceChoice selection={selection} />}
        {data.claims !== undefined && <SqlBlock label={texts.claims} sql={data.claims} />}
      </div>
    </Card>
  );
}

function PersonSearch({ people, selection }: { people: readonly FoundPerson[]; selection: Selection }) {
  const texts = useTexts(tryTexts);
  return (
    <>
      <Form
        key={selection.who}
        method="get"
        role="search"
        preventScrollReset
        className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-3"
      >
        {Object.entries({ schema: selection.schema, table: selection.table, tab: 'try', as: 'person' }).map(
          ([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ),
        )}
        <Field
          label={texts.who}
          hint={texts.whoHint}
          name="who"
          type="search"
          defaultValue={selection.who}
          autoComplete="off"
        />
        <Button type="submit" size="large" className="mt-7">
          {texts.search}
        </Button>
      </Form>
      {selection.who !== '' && people.length === 0 && <p role="status">{texts.noPeople}</p>}
      {people.length > 0 && (
        <ul aria-label={texts.people} className="divide-y divide-line rounded-control border border-line">
          {people.map((person) => (
            <li key={person.id}>
              <Link
                to={pathOf(selection, {
                  as: 'person',
                  who: selection.who,
                  user: person.id,
                  aal: selection.aal,
                })}
                preventScrollReset
                aria-current={person.id === selection.user ? 'true' : undefined}
                className="flex flex-wrap items-baseline gap-x-3 px-3 py-2 text-body -outline-offset-2! hover:bg-hover aria-[current]:bg-primary-wash"
              >
                {person.email || person.phone || texts.anonymous}
                <span className="font-mono text-caption text-ink-muted">{person.id}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function AssuranceChoice({ selection }: { selection: Selection }) {
  const texts = useTexts(tryTexts);
  const { who, user } = selection;
  return (
    <div className="grid gap-1.5">
      <p className="text-body font-medium">{texts.aal}</p>
      <SegmentedLinks
        label={texts.aal}
        links={(['aal1', 'aal2'] as const).map((aal) => ({
          to: pathOf(selection, { as: 'person', who, user, aal }),
          label: `${texts.aals[aal]} (${aal})`,
          isCurrent: selection.aal === aal,
        }))}
      />
    </div>
  );
}
