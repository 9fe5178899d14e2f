/**
 * The input for a code. It is a single input, so that codes can be pasted, dictated and autofilled; with
 * scripts, a box is drawn for each digit.
 */
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useIsHydrated } from '../../lib/use-is-hydrated.ts';
import { Labelled } from '../../ui/labelled.tsx';

/** Usual number of digits. */
const DIGITS = 6;
const MAX_CHARACTERS = 16;

interface CodeFieldProps {
  label: string;
  /**
   * The problem with the submitted code. The input's text is selected on focus, so that the next code
   * replaces it.
   */
  error: string | undefined;
  /** The input has the initial focus, and its form is sent as soon as it contains six digits. */
  isOnlyField?: boolean;
}

/** An input for a one-time code. */
export function CodeField({ label, error, isOnlyField = false }: CodeFieldProps) {
  const [code, setCode] = useState('');
  const isHydrated = useIsHydrated();
  const field = useRef<HTMLInputElement>(null);
  const sent = useRef('');
  const accept = (input: HTMLInputElement) => {
    const clean = cleanCode(input.value);
    if (clean !== input.value) input.value = clean;
    setCode(clean);
    if (!isOnlyField || !isComplete(clean) || clean === sent.current) return;
    sent.current = clean;
    input.form?.requestSubmit();
  };
  // The browser may have autofilled it, or a user may have typed, before hydration.
  const readPrefilled = useEffectEvent(() => field.current?.value && accept(field.current));
  useEffect(() => {
    readPrefilled();
  }, []);
  return (
    <Labelled label={label} error={error}>
      {(control) => (
        <div className="group relative">
          <input
            {...control}
            ref={field}
            name="code"
            type="text"
            inputMode="numeric"
            autoComplete="one-time-code"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={MAX_CHARACTERS}
            required
            // biome-ignore lint/a11y/noAutofocus: the page exists only for this field
            autoFocus={isOnlyField}
            onInput={({ currentTarget }) => accept(currentTarget)}
            onFocus={({ currentTarget }) => {
              // React replays a focus from before hydration while the user may already type.
              if (error !== undefined && currentTarget.value === code) currentTarget.select();
            }}
            placeholder={isHydrated ? undefined : '······'}
            className={`control h-12 w-full px-3 font-mono text-title tracking-[0.4em] ${isHydrated ? IN_BOXES : ''}`}
          />
          {isHydrated && <Boxes code={code} isWrong={error !== undefined} />}
        </div>
      )}
    </Labelled>
  );
}

/** Removes spaces and hyphens that users copy along with a code. */
function cleanCode(text: string): string {
  return text.replace(/[\s-]/g, '');
}

function isComplete(code: string): boolean {
  return code.length === DIGITS && /^\d+$/.test(code);
}

/** Hides the input's own rendering; the boxes draw its content. */
const IN_BOXES =
  'border-transparent! bg-transparent! text-transparent! caret-transparent! shadow-none! outline-none! ' +
  'selection:bg-transparent! selection:text-transparent!';

function Boxes({ code, isWrong }: { code: string; isWrong: boolean }) {
  const count = Math.max(DIGITS, code.length);
  const next = Math.min(code.length, count - 1);
  return (
    <div
      aria-hidden="true"
      className={`pointer-events-none absolute inset-0 flex ${count > DIGITS ? 'gap-1' : 'gap-2'}`}
    >
      {Array.from({ length: count }, (_, index) => index).map((index) => (
        <span
          key={index}
          data-next={index === next || undefined}
          className={`flex min-w-0 flex-1 items-center justify-center rounded-control border bg-surface font-mono
            text-title shadow-low transition-colors ${isWrong ? 'border-danger-line' : 'border-line-strong'}
            group-focus-within:data-next:border-focus group-focus-within:data-next:ring-3
            group-focus-within:data-next:ring-focus/30`}
        >
          {code[index]}
        </span>
      ))}
    </div>
  );
}
