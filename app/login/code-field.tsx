/**
 * The field of a code. It is one field, so that codes can be pasted, dictated and filled in by the device; where scripts
 * run, a box is drawn for each digit.
 */
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Labelled } from '../ui/labelled.tsx';
import { useIsAlive } from '../ui/use-is-alive.ts';

/** Most codes are as long. */
const DIGITS = 6;
const MAX_CHARACTERS = 16;

/** `error` says what is wrong with what was typed. The next code takes its place: it is selected with the focus. */
export function CodeField({ label, error }: { label: string; error: string | undefined }) {
  const [code, setCode] = useState('');
  const isAlive = useIsAlive();
  const field = useRef<HTMLInputElement>(null);
  // It may have been filled in before the page was alive.
  useEffect(() => setCode(field.current?.value ?? ''), []);
  const take = ({ currentTarget }: FormEvent<HTMLInputElement>) => {
    const clean = cleanCode(currentTarget.value);
    if (clean !== currentTarget.value) currentTarget.value = clean;
    setCode(clean);
  };
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
            onInput={take}
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
export function cleanCode(text: string): string {
  return text.replace(/[\s-]/g, '');
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
