/** The structure of a schema, or of one of its tables, with the open form. */
import { Form } from 'react-router';
import { changeRefusalTexts } from '../../../texts/admin-changes.ts';
import { adminSchemaTexts } from '../../../texts/admin-schema.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Page } from '../../../ui/page.tsx';
import { PageHeader } from '../../../ui/page-header.tsx';
import { Select } from '../../../ui/select.tsx';
import { TableTabs } from '../shared/table-tabs.tsx';
import { ChangeForm } from './change-form.tsx';
import { SchemaStructure } from './schema-structure.tsx';
import { STRUCTURE } from './selection.ts';
import { actionMaker, TableStructure } from './table-structure.tsx';
import type { StructureView } from './view.ts';

type Shown = StructureView & { kind: 'structure' };

/** `done` is the path of the migration file of the last change, '' without a file. */
export function Structure({ view, done }: { view: Shown; done: string | undefined }) {
  const texts = useTexts(adminSchemaTexts);
  const reasons = useTexts(changeRefusalTexts);
  const { schema, tableName, objects, table, access, open } = view;
  const isMissing = tableName !== '' && table === undefined;
  const act = actionMaker({
    schema,
    table: tableName,
    isAllowed: access.isAllowed,
    nameOf: texts.actions.of,
  });
  return (
    <Page>
      <PageHeader
        title={tableName || texts.metaTitle}
        description={table?.comment ?? texts.description(schema)}
        actions={
          table &&
          [...act('table.alter', texts.actions.edit), ...act('table.drop', texts.actions.drop)].map(
            ({ to, label }) => (
              <ButtonLink key={to} to={to}>
                {label}
              </ButtonLink>
            ),
          )
        }
      />
      <TableTabs schema={schema} table={tableName || undefined} />
      <Selection schema={schema} tableName={tableName} objects={objects} />
      {done !== undefined && open === undefined && (
        <Alert kind="success">{done === '' ? texts.done : texts.doneWithFile(done)}</Alert>
      )}
      {access.refusal && (
        <Alert kind="info" title={texts.readOnly}>
          {reasons[access.refusal]}
        </Alert>
      )}
      {open && (
        <ChangeForm
          key={`${open.form} ${open.object} ${open.hash}`}
          open={open}
          context={{ schema, objects, table, routine: open.routine, object: open.object }}
          access={access}
        />
      )}
      {isMissing && (
        <div className="card">
          <EmptyState icon="search" title={texts.notFound} text={texts.notFoundText(tableName)} />
        </div>
      )}
      {table && <TableStructure table={table} objects={objects} act={act} />}
      {tableName === '' && <SchemaStructure schema={schema} objects={objects} act={act} />}
    </Page>
  );
}

function Selection({ schema, tableName, objects }: Pick<Shown, 'schema' | 'tableName' | 'objects'>) {
  const texts = useTexts(adminSchemaTexts);
  return (
    <Form
      method="get"
      action={STRUCTURE}
      preventScrollReset
      key={`${schema} ${tableName}`}
      className="grid items-end gap-3 sm:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto]"
    >
      <Select name="schema" label={texts.schema} defaultValue={schema}>
        {objects.schemas.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </Select>
      <Select name="table" label={texts.table} defaultValue={tableName}>
        <option value="">{texts.allTables}</option>
        {objects.tables.map(({ name }) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </Select>
      <Button type="submit" size="large">
        {texts.show}
      </Button>
    </Form>
  );
}
