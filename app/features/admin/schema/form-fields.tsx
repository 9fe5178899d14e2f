/** The fields of a form of a schema change. They keep their own values; the form reads them all. */
import { useId, useState } from 'react';
import { adminSchemaFieldTexts } from '../../../texts/admin-schema-fields.ts';
import { adminSchemaFormTexts } from '../../../texts/admin-schema-forms.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { Button } from '../../../ui/button.tsx';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { Field } from '../../../ui/field.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Select } from '../../../ui/select.tsx';
import { TextArea } from '../../../ui/text-area.tsx';
import type { FieldName, FormField } from './form-field.ts';
import { type FormValues, isChecked, textOf } from './sql/values.ts';

/** Types that most columns have. */
const COMMON_TYPES = [
  'text',
  'bigint',
  'integer',
  'smallint',
  'boolean',
  'uuid',
  'timestamp with time zone',
  'timestamp without time zone',
  'date',
  'time without time zone',
  'interval',
  'numeric',
  'double precision',
  'real',
  'jsonb',
  'json',
  'bytea',
  'character varying',
  'inet',
  'cidr',
  'macaddr',
  'point',
  'tsvector',
  'text[]',
  'uuid[]',
  'integer[]',
];

interface FieldsProps {
  fields: readonly FormField[];
  values: FormValues;
  /** Names of required fields that are empty. */
  missing: readonly string[];
  /** Types of the database. */
  types: readonly string[];
}

/** All fields of a form. */
export function FormFields({ fields, values, missing, types }: FieldsProps) {
  const typeList = useId();
  const hasTypes = fields.some(({ kind }) => kind === 'type' || kind === 'columns');
  return (
    <>
      {fields.map((field) =>
        field.kind === 'columns' ? (
          <NewColumns key="columns" values={values} typeList={typeList} />
        ) : (
          <OneField
            key={field.name}
            field={field}
            values={values}
            isMissing={missing.includes(field.name)}
            typeList={typeList}
          />
        ),
      )}
      {hasTypes && (
        <datalist id={typeList}>
          {[...COMMON_TYPES, ...types].map((type) => (
            <option key={type} value={type} />
          ))}
        </datalist>
      )}
    </>
  );
}

interface OneFieldProps {
  field: Exclude<FormField, { kind: 'columns' }>;
  values: FormValues;
  isMissing: boolean;
  typeList: string;
}

const CODE = 'font-mono text-small';

function OneField({ field, values, isMissing, typeList }: OneFieldProps) {
  const { fields, hints } = useTexts(adminSchemaFieldTexts);
  const texts = useTexts(adminSchemaFormTexts);
  const { name } = field;
  const common = {
    name,
    label: fields[name],
    hint: hintOf(hints, name),
    error: isMissing ? texts.required : undefined,
  };
  const value = values[name]?.[0] ?? '';
  switch (field.kind) {
    case 'check':
      return (
        <Checkbox
          name={name}
          label={common.label}
          hint={common.hint}
          defaultChecked={isChecked(values, name)}
        />
      );
    case 'select':
      return <SelectField {...common} options={field.options} value={value} />;
    case 'choices':
      return <Choices {...common} options={field.options} chosen={values[name] ?? []} />;
    case 'area':
      return <TextArea {...common} rows={5} defaultValue={value} className={CODE} spellCheck={false} />;
    case 'code':
      return (
        <div className="sm:col-span-2">
          <TextArea
            {...common}
            rows={12}
            defaultValue={value}
            className={`${CODE} max-h-none!`}
            spellCheck={false}
          />
        </div>
      );
    case 'type':
      return (
        <Field
          {...common}
          defaultValue={value}
          list={typeList}
          autoComplete="off"
          spellCheck={false}
          className={CODE}
        />
      );
    default:
      return <Field {...common} defaultValue={value} autoComplete="off" spellCheck={false} />;
  }
}

function hintOf(hints: Readonly<Partial<Record<FieldName, string>>>, name: FieldName): string | undefined {
  return hints[name] || undefined;
}

interface SelectFieldProps {
  name: string;
  label: string;
  hint: string | undefined;
  error: string | undefined;
  options: readonly string[];
  value: string;
}

function SelectField({ options, value, ...common }: SelectFieldProps) {
  const { none } = useTexts(adminSchemaFormTexts);
  return (
    <Select {...common} defaultValue={value}>
      {options.map((option) => (
        <option key={option} value={option}>
          {option || none}
        </option>
      ))}
    </Select>
  );
}

interface ChoicesProps {
  name: string;
  label: string;
  error: string | undefined;
  options: readonly string[];
  chosen: readonly string[];
}

/** The order of columns in a key is that of the list. */
function Choices({ name, label, error, options, chosen }: ChoicesProps) {
  const id = useId();
  return (
    <fieldset className="grid content-start gap-1.5" aria-describedby={error && id}>
      <legend className="mb-1.5 text-body font-medium">{label}</legend>
      <div className="flex max-h-60 flex-wrap gap-x-5 gap-y-2 overflow-y-auto p-0.5">
        {options.map((option) => (
          <Checkbox
            key={option}
            name={name}
            value={option}
            label={option}
            defaultChecked={chosen.includes(option)}
          />
        ))}
      </div>
      {error && (
        <p id={id} className="flex items-start gap-1.5 text-small text-danger-ink">
          <Icon name="alert" className="mt-0.5 size-4" />
          {error}
        </p>
      )}
    </fieldset>
  );
}

const FIRST_COLUMNS = 3;
const IDENTITIES = ['', 'always', 'by default'];

/** Rows without a name are ignored. */
function NewColumns({ values, typeList }: { values: FormValues; typeList: string }) {
  const texts = useTexts(adminSchemaFormTexts);
  const submitted = Object.keys(values).filter((key) => /^c\d+\.name$/.test(key)).length;
  const [count, setCount] = useState(Math.max(FIRST_COLUMNS, submitted));
  return (
    <div className="grid gap-4 sm:col-span-2">
      {Array.from({ length: count }, (_, index) => (
        <NewColumn
          // biome-ignore lint/suspicious/noArrayIndexKey: rows are only added at the end
          key={index}
          prefix={`c${index}`}
          number={index + 1}
          values={values}
          typeList={typeList}
        />
      ))}
      <Button type="button" size="small" className="justify-self-start" onClick={() => setCount(count + 1)}>
        {texts.addColumn}
      </Button>
    </div>
  );
}

interface NewColumnProps {
  prefix: string;
  number: number;
  values: FormValues;
  typeList: string;
}

function NewColumn({ prefix, number, values, typeList }: NewColumnProps) {
  const texts = useTexts(adminSchemaFormTexts);
  const { fields } = useTexts(adminSchemaFieldTexts);
  const textFor = (name: string) => textOf(values, `${prefix}.${name}`);
  return (
    <fieldset className="grid gap-3 rounded-card border border-line p-3 sm:grid-cols-2 lg:grid-cols-4">
      <legend className="px-1 text-small text-ink-muted">{texts.column(number)}</legend>
      <Field
        name={`${prefix}.name`}
        label={fields.name}
        defaultValue={textFor('name')}
        autoComplete="off"
        spellCheck={false}
      />
      <Field
        name={`${prefix}.type`}
        label={fields.type}
        defaultValue={textFor('type')}
        list={typeList}
        autoComplete="off"
        spellCheck={false}
        className={CODE}
      />
      <Field
        name={`${prefix}.default`}
        label={fields.default}
        defaultValue={textFor('default')}
        autoComplete="off"
        spellCheck={false}
        className={CODE}
      />
      <Select name={`${prefix}.identity`} label={fields.identity} defaultValue={textFor('identity')}>
        {IDENTITIES.map((identity) => (
          <option key={identity} value={identity}>
            {identity || texts.none}
          </option>
        ))}
      </Select>
      <Checkbox
        name={`${prefix}.primary`}
        label={texts.primary}
        defaultChecked={isChecked(values, `${prefix}.primary`)}
      />
      <Checkbox
        name={`${prefix}.not_null`}
        label={fields.not_null}
        defaultChecked={isChecked(values, `${prefix}.not_null`)}
      />
    </fieldset>
  );
}
