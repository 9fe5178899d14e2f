/**
 * The field of a code. It is one field, so that codes can be pasted, dictated and filled in by the device; where scripts
 * run, a box is drawn for each digit.
 */
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useIsAlive } from '../../lib/use-is-alive.ts';
import { Labelled } from '../../ui/labelled.tsx';

/** Most codes are as long. */
const DIGITS = 6;
const MAX_CHARACTERS = 16;

interface CodeFieldProps {
  label: string;
  /** The problem with the code that was sent. The next code replaces it: the text is selected with the focus. */
  error: string | undefined;
  /** The field has the focus at first, and its form is sent as soon as six digits are in it. */
  isOnlyField?: boolean;
}

/** See the head of this file. */
export function CodeField({ label, error, isOnlyField = false }: CodeFieldProps) {
  const [code, setCode] = useState('');
  const isAlive = useIsAlive();
  const field = useRef<HTMLInputElement>(null);
  const sent = useRef('');
  const take = (input: HTMLInputElement) => {
    const clean = cleanCode(input.value);
    if (clean !== input.value) input.value = clean;
    setCode(clean);
    if (!isOnlyField || !isWhole(clean) || clean === sent.current) return;
    sent.current = clean;
    input.form?.requestSubmit();
  };
  // A device or a quick user may have filled it in before the page was alive.
  const takeFirst = useEffectEvent(() => field.current?.value && take(field.current));
  useEffect(() => {
    takeFirst();
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
            onInput={({ currentTarget }) => take(currentTarget)}
            onFocus={({ currentTarget }) => currentTarget.select()}
            placeholder={isAlive ? undefined : '······'}
            className={`control h-12 w-full px-3 font-mono text-title tracking-[0.4em] ${isAlive ? IN_BOXES : ''}`}
          />
          {isAlive && <Boxes code={code} isWrong={error !== undefined} />}
        </div>
      )}
    </Labelled>
  );
}

/** What people copy along with a code. */
function cleanCode(text: string): string {
  return text.replace(/[\s-]/g, '');
}

function isWhole(code: string): boolean {
  return code.length === DIGITS && /^\d+$/.test(code);
}

/** The field stays where it is and works as before; only what it shows is drawn by the boxes. */
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
