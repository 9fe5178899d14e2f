/** The field of a code of six digits. One field, so that codes can be pasted and filled in by the device. */
import { Field } from '../ui/field.tsx';

/** `error` says what is wrong with what was typed. */
export function CodeField({ label, error }: { label: string; error: string | undefined }) {
  return (
    <Field
      label={label}
      error={error}
      name="code"
      type="text"
      inputMode="numeric"
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={16}
      required
      placeholder="······"
      className="font-mono text-title tracking-[0.4em]"
    />
  );
}
