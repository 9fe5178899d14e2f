/** Controls for a value, by the type of its column. */
import type { KeyboardEvent } from 'react';
import { adminTablesTexts } from '../../../../texts/admin-tables.ts';
import { useTexts } from '../../../../texts/use-texts.ts';
import { Button } from '../../../../ui/button.tsx';
import { SegmentedRadios } from '../../../../ui/segmented-control.tsx';
import type { DraftValue } from '../draft-value.ts';
import type { ForeignKey, TableColumn } from '../table-model.ts';
import { BytesControl } from './bytes-control.tsx';
import type { ControlProps } from './control-props.ts';
import { ReferenceControl } from './reference-control.tsx';

interface ValueControlProps {
  column: TableColumn;
  foreignKey: ForeignKey | undefined;
  draft: DraftValue;
  onChange(draft: DraftValue): void;
  label: string;
  /** The sentence of the mistake. */
  mistake?: string | undefined;
  /** Id of the mistake's element. */
  mistakeId: string;
  isFocused?: boolean;
}

/** Null, the default and the value are a choice; only the value has a text. */
export function ValueControl(props: ValueControlProps) {
  const { column, foreignKey, draft, onChange, label, mistake, mistakeId, isFocused = false } = props;
  const { edit } = useTexts(adminTablesTexts);
  const modes = [
    ...(column.isGenerated ? [] : [{ value: 'value' as const, label: edit.setValue }]),
    ...(column.isNullable && !column.isGenerated ? [{ value: 'null' as const, label: edit.setNull }] : []),
    ...(column.default !== null || column.isGenerated
      ? [{ value: 'default' as const, label: edit.setDefault }]
      : []),
  ];
  const control: ControlProps = {
    column,
    text: draft.text,
    label,
    isFocused,
    describedBy: mistake ? mistakeId : undefined,
    onText: (text) => onChange({ mode: 'value', text }),
  };
  return (
    <div className="grid gap-2">
      {modes.length > 1 && (
        <SegmentedRadios
          label={`${edit.mode}: ${label}`}
          options={modes}
          value={draft.mode}
          onChange={(mode) => onChange({ ...draft, mode })}
        />
      )}
      {draft.mode === 'value' && <TextOf control={control} foreignKey={foreignKey} />}
      {draft.mode === 'null' && <p className="text-small text-ink-muted">{edit.isNull}</p>}
      {draft.mode === 'default' && (
        <p className="text-small break-all text-ink-muted">
          {column.default === null ? edit.generated : edit.isDefault(column.default)}
        </p>
      )}
      {mistake && (
        <p id={mistakeId} role="alert" className="text-small text-danger-ink">
          {mistake}
        </p>
      )}
    </div>
  );
}

function TextOf({ control, foreignKey }: { control: ControlProps; foreignKey: ForeignKey | undefined }) {
  const { column } = control;
  if (foreignKey?.columns.length === 1) return <ReferenceControl {...control} foreignKey={foreignKey} />;
  if (column.kind === 'boolean') return <Choice {...control} options={['true', 'false']} />;
  if (column.kind === 'enum') return <Choice {...control} options={column.labels} />;
  if (column.kind === 'bytea') return <BytesControl {...control} />;
  if (column.kind === 'json') return <JsonControl {...control} />;
  const isLong = column.kind === 'text' || column.kind === 'array' || column.kind === 'other';
  return isLong ? <LongText {...control} /> : <ShortText {...control} />;
}

function ShortText({ column, text, onText, label, describedBy, isFocused }: ControlProps) {
  return (
    <input
      aria-label={label}
      aria-describedby={describedBy}
      aria-invalid={describedBy ? true : undefined}
      // biome-ignore lint/a11y/noAutofocus: the user has just opened the editor of this value
      autoFocus={isFocused}
      // Numbers stay texts, because numbers of JavaScript lose digits.
      inputMode={column.kind === 'number' ? 'decimal' : undefined}
      value={text}
      onChange={(event) => onText(event.target.value)}
      className="control h-9 w-full px-2"
    />
  );
}

function LongText({ text, onText, label, describedBy, isFocused }: ControlProps) {
  return (
    <textarea
      aria-label={label}
      aria-describedby={describedBy}
      aria-invalid={describedBy ? true : undefined}
      // biome-ignore lint/a11y/noAutofocus: the user has just opened the editor of this value
      autoFocus={isFocused}
      rows={3}
      value={text}
      onChange={(event) => onText(event.target.value)}
      className="control field-sizing-content max-h-72 min-h-20 w-full resize-y px-2 py-1.5"
    />
  );
}

function Choice({
  text,
  onText,
  label,
  describedBy,
  isFocused,
  options,
}: ControlProps & { options: readonly string[] }) {
  const stored = text === 't' ? 'true' : text === 'f' ? 'false' : text;
  const known = options.includes(stored) ? options : [stored, ...options];
  return (
    <select
      aria-label={label}
      aria-describedby={describedBy}
      // biome-ignore lint/a11y/noAutofocus: the user has just opened the editor of this value
      autoFocus={isFocused}
      value={stored}
      onChange={(event) => onText(event.target.value)}
      className="control h-9 w-full px-2"
    >
      {known.map((option) => (
        <option key={option}>{option}</option>
      ))}
    </select>
  );
}

function JsonControl(props: ControlProps) {
  const { edit } = useTexts(adminTablesTexts);
  const { text, onText } = props;
  return (
    <div className="grid gap-2">
      <LongText {...props} />
      <Button size="small" className="w-fit" onClick={() => onText(formatJson(text))}>
        {edit.format}
      </Button>
    </div>
  );
}

/** Only adds white space outside of texts, since parsing would change large numbers and drop repeated keys. */
function formatJson(text: string): string {
  let depth = 0;
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g) ?? [];
  return tokens
    .map((token, index) => {
      const line = `\n${'  '.repeat(Math.max(depth, 0))}`;
      if (token === '{' || token === '[') {
        depth++;
        const isEmpty = tokens[index + 1] === (token === '{' ? '}' : ']');
        return isEmpty ? token : `${token}${`\n${'  '.repeat(depth)}`}`;
      }
      if (token === '}' || token === ']') {
        depth--;
        const isEmpty = tokens[index - 1] === (token === '}' ? '{' : '[');
        return isEmpty ? token : `\n${'  '.repeat(Math.max(depth, 0))}${token}`;
      }
      if (token === ',') return `,${line}`;
      return token === ':' ? ': ' : token;
    })
    .join('');
}

/** Returns whether a key finishes the editor: Enter, in texts of several lines without Shift. */
export function isFinish(event: KeyboardEvent): boolean {
  const { target, key, shiftKey, ctrlKey, metaKey } = event;
  if (key !== 'Enter' || event.nativeEvent.isComposing) return false;
  if (target instanceof HTMLButtonElement) return false;
  return target instanceof HTMLTextAreaElement ? !shiftKey || ctrlKey || metaKey : true;
}
