/** The search for lines. It is a plain form, so that the results have a URL. */
import { Form } from 'react-router';
import { adminLogsTexts } from '../../../texts/admin-logs.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { Field } from '../../../ui/field.tsx';
import { Select } from '../../../ui/select.tsx';
import {
  isFiltered,
  LEVELS,
  type LineSelection,
  LOGS,
  linesPath,
  type RANGES,
  SERVICES,
} from './selection.ts';

const MAX_LENGTH = 500;

/** A new search begins at the newest line. */
export function LineSearch({ selection }: { selection: LineSelection }) {
  const { search, any, ranges, levels } = useTexts(adminLogsTexts);
  const { live, from, to, user, request } = selection;
  return (
    <Form
      // The key makes the fields show the URL's values, also after navigating back.
      key={linesPath(selection)}
      method="get"
      action={LOGS}
      role="search"
      className="grid grid-cols-2 items-end gap-3 md:grid-cols-[minmax(0,2fr)_repeat(4,minmax(0,1fr))]"
    >
      {live && <input type="hidden" name="live" value={live} />}
      <div className="col-span-2 md:col-span-1">
        <Field
          label={search.q}
          name="q"
          type="search"
          defaultValue={selection.q}
          placeholder={search.placeholder}
          maxLength={MAX_LENGTH}
          autoComplete="off"
        />
      </div>
      <Choice name="range" label={search.range} value={selection.range} texts={ranges} any={any} />
      <Choice
        name="service"
        label={search.service}
        value={selection.service}
        texts={Object.fromEntries(SERVICES.map((name) => [name, name]))}
        any={any}
      />
      <Choice
        name="level"
        label={search.level}
        value={selection.level}
        texts={Object.fromEntries(LEVELS.map((name) => [name, levels[name]]))}
        any={any}
      />
      <Field
        label={search.status}
        name="status"
        defaultValue={selection.status}
        placeholder={search.statusPlaceholder}
        pattern="[1-5]([0-9]{2}|[xX]{2})"
        maxLength={3}
        autoComplete="off"
      />
      <details
        className="col-span-full"
        open={[from, to, user, request].some((value) => value !== '') || undefined}
      >
        <summary className="w-fit cursor-pointer rounded-sm text-small text-ink-muted hover:text-ink">
          {search.more}
        </summary>
        <div className="grid gap-3 pt-3 sm:grid-cols-2 lg:grid-cols-4">
          <Field label={search.from} name="from" type="datetime-local" step="1" defaultValue={from} />
          <Field label={search.to} name="to" type="datetime-local" step="1" defaultValue={to} />
          <Field label={search.user} name="user" defaultValue={user} maxLength={MAX_LENGTH} />
          <Field label={search.request} name="request" defaultValue={request} maxLength={MAX_LENGTH} />
        </div>
      </details>
      <div className="col-span-full flex gap-2">
        <Button type="submit" variant="primary">
          {search.submit}
        </Button>
        {isFiltered(selection) && (
          <ButtonLink to={linesPath({ live })} variant="ghost">
            {search.reset}
          </ButtonLink>
        )}
      </div>
    </Form>
  );
}

function Choice(props: {
  name: keyof LineSelection;
  label: string;
  value: string;
  texts: Partial<Record<keyof typeof RANGES, string>> | Record<string, string>;
  any: string;
}) {
  const { name, label, value, texts, any } = props;
  return (
    <Select label={label} name={name} defaultValue={value}>
      <option value="">{any}</option>
      {Object.entries(texts).map(([id, text]) => (
        <option key={id} value={id}>
          {text}
        </option>
      ))}
    </Select>
  );
}
