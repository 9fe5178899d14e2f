/** The options of runs. The names of the controls are those of the form. */
import { useEffect, useRef, useState } from 'react';
import { formatNumber } from '../../../../lib/format/number.ts';
import { adminSqlTexts } from '../../../../texts/admin-sql.ts';
import { useLanguage, useTexts } from '../../../../texts/use-texts.ts';
import { Checkbox } from '../../../../ui/checkbox.tsx';
import { Field } from '../../../../ui/field.tsx';
import { Select } from '../../../../ui/select.tsx';
import { parseClaims, ROW_LIMITS, RUN_ROLES, type RunSettings, TIMEOUTS_S } from './run-form.ts';

const MINUTE_S = 60;

/**
 * The controls are not controlled by React: a choice that the visitor has made before the scripts were loaded stays. Claims are
 * shown for roles that policies apply to.
 */
export function Options(props: {
  settings: RunSettings;
  canWriteMigrations: boolean;
  onChange(settings: RunSettings): void;
}) {
  const { settings, canWriteMigrations, onChange } = props;
  const texts = useTexts(adminSqlTexts);
  const language = useLanguage();
  const fields = useRef<HTMLFieldSetElement>(null);
  const latest = useRef(onChange);
  useEffect(() => {
    latest.current = onChange;
  });
  useEffect(() => {
    if (fields.current) latest.current(readSettings(fields.current));
  }, []);
  const [first] = useState(settings);
  const timeoutText = (seconds: number) =>
    seconds < MINUTE_S ? texts.timeouts(seconds) : texts.minutes(seconds / MINUTE_S);
  return (
    <fieldset
      ref={fields}
      onChange={() => fields.current && onChange(readSettings(fields.current))}
      className="grid grid-cols-2 gap-x-4 gap-y-3 sm:grid-cols-[repeat(auto-fit,minmax(9rem,max-content))]"
    >
      <legend className="sr-only">{texts.options}</legend>
      <Checkbox
        name="read-only"
        label={texts.readOnly}
        hint={texts.readOnlyHint}
        defaultChecked={first.isReadOnly}
        className="content-start sm:pt-1"
      />
      {canWriteMigrations && (
        <Checkbox
          name="migration"
          label={texts.migration}
          hint={texts.migrationHint}
          defaultChecked={first.writesMigration}
          className="content-start sm:pt-1"
        />
      )}
      <Select name="role" label={texts.role} defaultValue={first.role}>
        {RUN_ROLES.map((role) => (
          <option key={role}>{role}</option>
        ))}
      </Select>
      <Select name="timeout" label={texts.timeout} defaultValue={first.timeoutS}>
        {TIMEOUTS_S.map((seconds) => (
          <option key={seconds} value={seconds}>
            {timeoutText(seconds)}
          </option>
        ))}
      </Select>
      <Select name="rows" label={texts.rowLimit} defaultValue={first.maxRows}>
        {ROW_LIMITS.map((limit) => (
          <option key={limit} value={limit}>
            {formatNumber(limit, language)}
          </option>
        ))}
      </Select>
      {settings.role !== 'postgres' && (
        <Field
          name="claims"
          label={texts.claims}
          hint={texts.claimsHint}
          defaultValue={settings.claims}
          error={parseClaims(settings.claims) === undefined ? texts.problems.claims : undefined}
          spellCheck={false}
          autoComplete="off"
        />
      )}
    </fieldset>
  );
}

function readSettings(fields: HTMLFieldSetElement): RunSettings {
  const textIn = (name: string) => {
    const control = fields.elements.namedItem(name);
    return control instanceof HTMLInputElement || control instanceof HTMLSelectElement ? control.value : '';
  };
  const isChecked = (name: string) => {
    const control = fields.elements.namedItem(name);
    return control instanceof HTMLInputElement && control.checked;
  };
  return {
    role: RUN_ROLES.find((role) => role === textIn('role')) ?? 'postgres',
    claims: textIn('claims'),
    isReadOnly: isChecked('read-only'),
    writesMigration: isChecked('migration'),
    timeoutS: Number(textIn('timeout')),
    maxRows: Number(textIn('rows')),
  };
}
