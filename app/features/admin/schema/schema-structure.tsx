/** The objects of a schema, and those of the database. */
import { Link } from 'react-router';
import { adminSchemaTexts } from '../../../texts/admin-schema.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { Badge } from '../../../ui/badge.tsx';
import type { SchemaObjects } from './definition.ts';
import { ObjectEntry, ObjectList } from './object-list.tsx';
import { structurePath } from './selection.ts';
import type { ActionMaker } from './table-structure.tsx';

interface SectionProps {
  schema: string;
  objects: SchemaObjects;
  act: ActionMaker;
}

/** All sections of a schema. */
export function SchemaStructure(props: SectionProps) {
  return (
    <>
      <Tables {...props} />
      <Enums {...props} />
      <Functions {...props} />
      <Publications {...props} />
      <Extensions {...props} />
    </>
  );
}

function Tables({ schema, objects, act }: SectionProps) {
  const texts = useTexts(adminSchemaTexts);
  return (
    <ObjectList
      title={texts.sections.tables}
      actions={[
        ...act('schema.create', texts.actions.newSchema),
        ...act('table.create', texts.actions.newTable),
      ]}
      isEmpty={objects.tables.length === 0}
      empty={texts.empty.tables}
    >
      {objects.tables.map(({ name, comment, has_row_security: hasSecurity }) => (
        <ObjectEntry
          key={name}
          name={
            <Link to={structurePath({ schema, table: name })} className="underline-offset-4 hover:underline">
              {name}
            </Link>
          }
          states={!hasSecurity && <Badge tone="warning">{texts.states.noSecurity}</Badge>}
          note={comment}
        />
      ))}
    </ObjectList>
  );
}

function Enums({ objects, act }: SectionProps) {
  const texts = useTexts(adminSchemaTexts);
  const { actions } = texts;
  return (
    <ObjectList
      title={texts.sections.enums}
      actions={act('enum.create', actions.newEnum)}
      isEmpty={objects.enums.length === 0}
      empty={texts.empty.enums}
    >
      {objects.enums.map(({ name, values }) => (
        <ObjectEntry
          key={name}
          name={name}
          definition={values.join(', ')}
          actions={[
            ...act('enum.add_value', actions.addValue, name),
            ...act('enum.rename_value', actions.rename, name),
            ...act('enum.drop', actions.drop, name),
          ]}
        />
      ))}
    </ObjectList>
  );
}

function Functions({ objects, act }: SectionProps) {
  const texts = useTexts(adminSchemaTexts);
  return (
    <ObjectList
      title={texts.sections.functions}
      actions={act('function.create', texts.actions.newFunction)}
      isEmpty={objects.functions.length === 0}
      empty={texts.empty.functions}
    >
      {objects.functions.map(({ name, arguments: parameters, returns, language }) => {
        const signature = `${name}(${parameters})`;
        return (
          <ObjectEntry
            key={signature}
            name={signature}
            states={<Badge>{language}</Badge>}
            definition={`returns ${returns}`}
            actions={[
              ...act('function.alter', texts.actions.edit, signature),
              ...act('function.drop', texts.actions.drop, signature),
            ]}
          />
        );
      })}
    </ObjectList>
  );
}

function Publications({ objects, act }: SectionProps) {
  const texts = useTexts(adminSchemaTexts);
  return (
    <ObjectList
      title={texts.sections.publications}
      actions={act('publication.create', texts.actions.newPublication)}
      isEmpty={objects.publications.length === 0}
      empty={texts.empty.publications}
    >
      {objects.publications.map(({ name, operations, tables }) => (
        <ObjectEntry
          key={name}
          name={name}
          definition={operations.join(', ')}
          note={
            tables === null
              ? texts.states.allTables
              : tables.map((table) => `${table.schema}.${table.name}`).join(', ')
          }
          actions={act('publication.drop', texts.actions.drop, name)}
        />
      ))}
    </ObjectList>
  );
}

function Extensions({ objects, act }: SectionProps) {
  const texts = useTexts(adminSchemaTexts);
  const { actions, states } = texts;
  return (
    <ObjectList
      title={texts.sections.extensions}
      isEmpty={objects.extensions.length === 0}
      empty={texts.empty.extensions}
    >
      {objects.extensions.map(({ name, version, schema, comment }) => (
        <ObjectEntry
          key={name}
          name={name}
          states={version !== null && <Badge tone="primary">{states.installed(version)}</Badge>}
          definition={schema}
          note={comment}
          actions={
            version === null
              ? act('extension.create', actions.install, name)
              : act('extension.drop', actions.remove, name)
          }
        />
      ))}
    </ObjectList>
  );
}
