/** Runs the correction of a finding, if it is still the one that the page showed. */
import { redirect } from 'react-router';
import { changeSchema } from '../../shared/change-schema.server.ts';
import { type FormWork, textField } from '../form-work.ts';
import { policiesPath } from '../selection.ts';
import { type FixResult, loadFix } from './advisors.server.ts';

/** The fields `key` and `sql` are those that the page showed. */
export async function runFix({ admin, form }: FormWork): Promise<Response | FixResult> {
  const fix = await loadFix(admin.meta, textField(form, 'key'));
  // Line breaks of forms are those of HTTP.
  const shown = textField(form, 'sql').replaceAll('\r\n', '\n');
  if (fix === undefined || fix.sql !== shown) return { kind: 'fix-gone' };
  const { finding, sql } = fix;
  const outcome = await changeSchema(admin, {
    name: `fix ${finding.name}`,
    sql,
    entry: {
      action: 'advisor.fix',
      target: finding.table ? `${finding.table.schema}.${finding.table.name}` : finding.name,
      summary: `Fix ${finding.name}: ${finding.detail}`.slice(0, 2000),
      after: { sql },
    },
  });
  if (outcome.kind !== 'done') return { kind: 'not-changed', outcome };
  return redirect(policiesPath({ view: 'advisors' }, { notice: 'fixed' }));
}
