/** A password's field: it can be shown, it says when Caps Lock is on, and a new one's rules stand below it. */
import { type KeyboardEvent, useRef, useState } from 'react';
import { useIsAlive } from '../../lib/use-is-alive.ts';
import { loginTexts } from '../../texts/login.ts';
import { uiTexts } from '../../texts/ui.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { Field } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { PasswordRuleList } from './password-rule-list.tsx';
import type { PasswordRule } from './password-rules.ts';

/** `isNew` makes password managers offer one, and shows the rules. */
export function PasswordField(props: {
  isNew: boolean;
  name?: string;
  /** Undefined: just "Password". */
  label?: string;
  error: string | undefined;
  hint?: string | undefined;
  /** Of a new one: what the server asked for when it refused the last. */
  rules?: readonly PasswordRule[] | undefined;
}) {
  const { isNew, name = 'password', error, hint, rules } = props;
  const field = useRef<HTMLInputElement>(null);
  const { password } = useTexts(loginTexts);
  const label = props.label ?? password;
  const { capsLock } = useTexts(uiTexts);
  const [isShown, setIsShown] = useState(false);
  const [isCapsLockOn, setIsCapsLockOn] = useState(false);
  const watch = (event: KeyboardEvent) => setIsCapsLockOn(event.getModifierState('CapsLock'));
  return (
    <Field
      ref={field}
      label={label}
      name={name}
      type={isShown ? 'text' : 'password'}
      autoComplete={isNew ? 'new-password' : 'current-password'}
      autoCapitalize="none"
      spellCheck={false}
      required
      error={error}
      hint={hint}
      liveHint={isCapsLockOn ? capsLock : ''}
      onKeyDown={watch}
      onKeyUp={watch}
      onBlur={() => setIsCapsLockOn(false)}
      below={isNew ? (id) => <PasswordRuleList id={id} field={field} told={rules} /> : undefined}
      inset={<ShowButton isShown={isShown} toggle={() => setIsShown(!isShown)} />}
    />
  );
}

/** Without scripts there is nothing it could do, so it is not there. */
function ShowButton({ isShown, toggle }: { isShown: boolean; toggle: () => void }) {
  const { showPassword } = useTexts(uiTexts);
  if (!useIsAlive()) return null;
  return (
    <button
      type="button"
      aria-pressed={isShown}
      aria-label={showPassword}
      onClick={toggle}
      className="absolute inset-y-0 end-0 flex w-11 items-center justify-center rounded-control text-ink-muted
        transition-colors -outline-offset-2! hover:text-ink"
    >
      <Icon name={isShown ? 'eyeOff' : 'eye'} className="size-4.5" />
    </button>
  );
}
