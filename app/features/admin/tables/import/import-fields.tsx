/** The fields of the import: the file, the column of each of its fields, and its first records. */
import { formatNumber } from '../../../../lib/format/number.ts';
import { adminTablesTexts } from '../../../../texts/admin-tables.ts';
import { useLanguage, useTexts } from '../../../../texts/use-texts.ts';
import { Alert } from '../../../../ui/alert.tsx';
import { Field } from '../../../../ui/field.tsx';
import { Select } from '../../../../ui/select.tsx';
import { type EmptyFields, mappedColumns, recordMistakes, recordValues } from '../csv-mapping.ts';
import type { TableInfo } from '../table-model.ts';
import type { ImportState } from './use-import.ts';

type MappingState = ImportState & { kind: 'mapping' };

const SHOWN_RECORDS = 8;
const SHOWN_MISTAKES = 5;

/** Chooses the file. */
export function FileField(props: {
  mistake: 'unreadable' | 'other-file' | undefined;
  onFile(file: File | undefined): void;
}) {
  const { mistake, onFile } = props;
  const { import: texts } = useTexts(adminTablesTexts);
  const error = mistake && { unreadable: texts.unreadable, 'other-file': texts.otherFile }[mistake];
  return (
    <Field
      type="file"
      accept=".csv,.tsv,.txt,text/csv"
      label={texts.file}
      hint={texts.fileHint}
      error={error}
      onChange={(event) => onFile(event.target.files?.[0])}
      className="py-1.5"
    />
  );
}

/** Assigns a column to each field. */
export function MappingFields(props: {
  table: TableInfo;
  state: MappingState;
  onChange(state: MappingState): void;
}) {
  const { table, state, onChange } = props;
  const { import: texts } = useTexts(adminTablesTexts);
  const { start, mapping, empty } = state;
  const columns = table.columns.filter(({ isGenerated, isIdentity }) => !isGenerated || isIdentity);
  function assign(index: number, name: string) {
    const others = mapping.map((each) => (each === name ? null : each));
    onChange({ ...state, mapping: others.with(index, name === '' ? null : name) });
  }
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-2 font-medium">{texts.fields}</legend>
      {start.fields.map((field, index) => (
        <Select
          // biome-ignore lint/suspicious/noArrayIndexKey: fields may have equal names, and never move
          key={index}
          label={field}
          aria-label={texts.column(field)}
          value={mapping[index] ?? ''}
          onChange={(event) => assign(index, event.target.value)}
        >
          <option value="">{texts.skip}</option>
          {columns.map(({ name, shownType }) => (
            <option key={name} value={name}>
              {name} ({shownType})
            </option>
          ))}
        </Select>
      ))}
      <Select
        label={texts.empty}
        value={empty}
        onChange={(event) => onChange({ ...state, empty: event.target.value as EmptyFields })}
      >
        <option value="null">{texts.emptyNull}</option>
        <option value="text">{texts.emptyText}</option>
      </Select>
      {mappedColumns(mapping).length === 0 && <Alert kind="warning">{texts.noColumns}</Alert>}
    </fieldset>
  );
}

/** Shows the first records as they will be stored, and those that do not fit. */
export function Preview({ table, state }: { table: TableInfo; state: MappingState }) {
  const { import: texts, edit, grid } = useTexts(adminTablesTexts);
  const language = useLanguage();
  const { start, mapping, empty } = state;
  const names = mappedColumns(mapping);
  const rows = start.records.map((record) =>
    recordValues(record, mapping, { columns: table.columns, empty }),
  );
  const mistakes = rows.flatMap((values, record) =>
    recordMistakes(values, names, { columns: table.columns, record }),
  );
  if (names.length === 0) return null;
  return (
    <section aria-label={texts.preview} className="grid gap-3">
      <h3 className="font-medium">{texts.preview}</h3>
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        tabIndex={0}
        aria-label={texts.preview}
        className="overflow-x-auto rounded-control border border-line"
      >
        <table className="text-small">
          <thead>
            <tr>
              {names.map((name) => (
                <th key={name} scope="col" className="border-b border-line px-2 py-1 text-start font-medium">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, SHOWN_RECORDS).map((values, record) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: records have no other name
              <tr key={record}>
                {names.map((name, index) => (
                  <td key={name} className="max-w-40 truncate px-2 py-1">
                    {values[index] ?? <span className="text-ink-muted italic">{grid.null}</span>}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {mistakes.length > 0 && (
        <Alert kind="warning" title={texts.mistakes(mistakes.length)}>
          <ul>
            {mistakes.slice(0, SHOWN_MISTAKES).map(({ record, column, mistake }) => (
              <li key={`${record}-${column}`}>
                {texts.mistake(formatNumber(record + 2, language), column, edit.mistakes[mistake])}
              </li>
            ))}
          </ul>
        </Alert>
      )}
    </section>
  );
}
