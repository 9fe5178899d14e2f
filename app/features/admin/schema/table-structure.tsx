/** The structure of one table. */
import { adminSchemaTexts } from '../../../texts/admin-schema.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { Badge } from '../../../ui/badge.tsx';
import type { ColumnDefinition, SchemaObjects, TableDefinition } from './definition.ts';
import type { FormName } from './forms.ts';
import { type ObjectAction, ObjectEntry, ObjectList } from './object-list.tsx';
import { structurePath } from './selection.ts';

interface SectionProps {
  table: TableDefinition;
  objects: SchemaObjects;
  /** Returns no actions where schemas cannot be changed. */
  act: ActionMaker;
}

/** Makes an action of a form. */
export type ActionMaker = (form: FormName, label: string, object?: string) => ObjectAction[];

/** Returns the maker of a page. */
export function actionMaker(options: {
  schema: string;
  table: string;
  isAllowed: boolean;
  nameOf: (label: string, object: string) => string;
}): ActionMaker {
  const { schema, table, isAllowed, nameOf } = options;
  return (change, label, object = '') =>
    isAllowed
      ? [
          {
            to: structurePath({ schema, table, change, object }),
            label,
            ...(object !== '' && { name: nameOf(label, object) }),
          },
        ]
      : [];
}

/** All sections of a table. */
export function TableStructure(props: SectionProps) {
  return (
    <>
      <Columns {...props} />
      <Constraints {...props} />
      <Indexes {...props} />
      <Triggers {...props} />
      <Security {...props} />
      <Publications {...props} />
    </>
  );
}

function Columns({ table, act }: SectionProps) {
  const texts = useTexts(adminSchemaTexts);
  const key = table.constraints.find(({ kind }) => kind === 'p')?.definition ?? '';
  return (
    <ObjectList
      title={texts.sections.columns}
      actions={act('column.add', texts.actions.newColumn)}
      isEmpty={table.columns.length === 0}
      empty={texts.empty.columns}
    >
      {table.columns.map((column) => (
        <ObjectEntry
          key={column.name}
          name={column.name}
          states={<ColumnStates column={column} isKey={isInKey(key, column.name)} />}
          definition={definitionOf(column)}
          note={column.comment}
          actions={[
            ...act('column.alter', texts.actions.edit, column.name),
            ...act('column.drop', texts.actions.drop, column.name),
          ]}
        />
      ))}
    </ObjectList>
  );
}

/** PostgreSQL writes `PRIMARY KEY (id, "Other name")`. */
function isInKey(definition: string, column: string): boolean {
  const names = /\((.*)\)/.exec(definition)?.[1]?.split(', ') ?? [];
  return names.includes(column) || names.includes(`"${column.replaceAll('"', '""')}"`);
}

function definitionOf({ type, default: value, generated }: ColumnDefinition): string {
  if (generated !== null) return `${type} = ${generated}`;
  return value === null ? type : `${type} default ${value}`;
}

function ColumnStates({ column, isKey }: { column: ColumnDefinition; isKey: boolean }) {
  const { states } = useTexts(adminSchemaTexts);
  return (
    <>
      {isKey && <Badge tone="primary">{states.primaryKey}</Badge>}
      {column.identity && <Badge>{states.identity}</Badge>}
      {column.generated !== null && <Badge>{states.generated}</Badge>}
      {column.is_not_null && !isKey && <Badge>{states.notNull}</Badge>}
    </>
  );
}

function Constraints({ table, act }: SectionProps) {
  const texts = useTexts(adminSchemaTexts);
  return (
    <ObjectList
      title={texts.sections.constraints}
      actions={[
        ...act('key.add', texts.actions.newKey),
        ...act('foreign_key.add', texts.actions.newForeignKey),
        ...act('check.add', texts.actions.newCheck),
      ]}
      isEmpty={table.constraints.length === 0}
      empty={texts.empty.constraints}
    >
      {table.constraints.map(({ name, definition }) => (
        <ObjectEntry
          key={name}
          name={name}
          definition={definition}
          actions={act('constraint.drop', texts.actions.drop, name)}
        />
      ))}
    </ObjectList>
  );
}

function Indexes({ table, act }: SectionProps) {
  const texts = useTexts(adminSchemaTexts);
  return (
    <ObjectList
      title={texts.sections.indexes}
      actions={act('index.create', texts.actions.newIndex)}
      isEmpty={table.indexes.length === 0}
      empty={texts.empty.indexes}
    >
      {table.indexes.map(({ name, definition, is_valid: isValid, is_of_constraint: isOfConstraint }) => (
        <ObjectEntry
          key={name}
          name={name}
          states={!isValid && <Badge tone="danger">{texts.states.invalid}</Badge>}
          definition={definition}
          actions={isOfConstraint ? [] : act('index.drop', texts.actions.drop, name)}
        />
      ))}
    </ObjectList>
  );
}

function Triggers({ table, act }: SectionProps) {
  const texts = useTexts(adminSchemaTexts);
  const { actions } = texts;
  return (
    <ObjectList
      title={texts.sections.triggers}
      actions={act('trigger.create', actions.newTrigger)}
      isEmpty={table.triggers.length === 0}
      empty={texts.empty.triggers}
    >
      {table.triggers.map(({ name, definition, is_enabled: isEnabled }) => (
        <ObjectEntry
          key={name}
          name={name}
          states={!isEnabled && <Badge tone="warning">{texts.states.disabled}</Badge>}
          definition={definition}
          actions={[
            ...act('trigger.toggle', isEnabled ? actions.disable : actions.enable, name),
            ...act('trigger.drop', actions.drop, name),
          ]}
        />
      ))}
    </ObjectList>
  );
}

function Security({ table, act }: SectionProps) {
  const texts = useTexts(adminSchemaTexts);
  const { states } = texts;
  const isOn = table.has_row_security;
  return (
    <ObjectList title={texts.sections.security} isEmpty={false} empty="">
      <ObjectEntry
        name={isOn ? states.securityOn : states.securityOff}
        note={[
          states.policies(table.policies),
          ...(table.forces_row_security ? [states.securityForced] : []),
        ].join(', ')}
        actions={act('row_security.change', texts.actions.change)}
      />
    </ObjectList>
  );
}

function Publications({ table, objects, act }: SectionProps) {
  const texts = useTexts(adminSchemaTexts);
  return (
    <ObjectList
      title={texts.sections.publications}
      isEmpty={objects.publications.length === 0}
      empty={texts.empty.publications}
    >
      {objects.publications.map(({ name, tables }) => {
        const isMember = table.publications.includes(name);
        return (
          <ObjectEntry
            key={name}
            name={name}
            states={
              (isMember || tables === null) && (
                <Badge tone="primary">{tables === null ? texts.states.allTables : texts.states.member}</Badge>
              )
            }
            actions={
              tables === null
                ? []
                : act('publication.toggle', isMember ? texts.actions.remove : texts.actions.add, name)
            }
          />
        );
      })}
    </ObjectList>
  );
}
