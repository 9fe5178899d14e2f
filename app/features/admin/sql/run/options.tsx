/** The options of runs. The names of the controls are those of the form. */
import { formatNumber } from '../../../../lib/format/number.ts';
import { adminSqlTexts } from '../../../../texts/admin-sql.ts';
import { useLanguage, useTexts } from '../../../../texts/use-texts.ts';
import { Checkbox } from '../../../../ui/checkbox.tsx';
import { Field } from '../../../../ui/field.tsx';
import { Select } from '../../../../ui/select.tsx';
import {
  parseClaims,
  ROW_LIMITS,
  RUN_ROLES,
  type RunRole,
  type RunSettings,
  TIMEOUTS_S,
} from './run-form.ts';

const MINUTE_S = 60;

/** Claims are shown for roles that policies apply to. */
export function Options(props: { settings: RunSettings; onChange(settings: RunSettings): void }) {
  const { settings, onChange } = props;
  const texts = useTexts(adminSqlTexts);
  const language = useLanguage();
  const change = (fields: Partial<RunSettings>) => onChange({ ...settings, ...fields });
  const timeoutText = (seconds: number) =>
    seconds < MINUTE_S ? texts.timeouts(seconds) : texts.minutes(seconds / MINUTE_S);
  return (
    <fieldset className="grid grid-cols-2 gap-x-4 gap-y-3 sm:grid-cols-[auto_10rem_10rem_9rem_1fr]">
      <legend className="sr-only">{texts.options}</legend>
      <Checkbox
        name="read-only"
        label={texts.readOnly}
        hint={texts.readOnlyHint}
        checked={settings.isReadOnly}
        onChange={(event) => change({ isReadOnly: event.currentTarget.checked })}
        className="content-start sm:pt-1"
      />
      <Select
        name="role"
        label={texts.role}
        value={settings.role}
        onChange={(event) => change({ role: event.currentTarget.value as RunRole })}
      >
        {RUN_ROLES.map((role) => (
          <option key={role}>{role}</option>
        ))}
      </Select>
      <Select
        name="timeout"
        label={texts.timeout}
        value={settings.timeoutS}
        onChange={(event) => change({ timeoutS: Number(event.currentTarget.value) })}
      >
        {TIMEOUTS_S.map((seconds) => (
          <option key={seconds} value={seconds}>
            {timeoutText(seconds)}
          </option>
        ))}
      </Select>
      <Select
        name="rows"
        label={texts.rowLimit}
        value={settings.maxRows}
        onChange={(event) => change({ maxRows: Number(event.currentTarget.value) })}
      >
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
          value={settings.claims}
          error={parseClaims(settings.claims) === undefined ? texts.problems.claims : undefined}
          onChange={(event) => change({ claims: event.currentTarget.value })}
          spellCheck={false}
          autoComplete="off"
        />
      )}
    </fieldset>
  );
}
