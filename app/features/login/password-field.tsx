/**
 * The input for a password: a button reveals it, it indicates Caps Lock, and lists the rules of a new
 * password.
 */
import { type KeyboardEvent, useRef, useState } from 'react';
import { useIsHydrated } from '../../lib/use-is-hydrated.ts';
import { loginTexts } from '../../texts/login.ts';
import { uiTexts } from '../../texts/ui.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { Field } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { PasswordRuleList } from './password-rule-list.tsx';
import type { PasswordRule } from './password-rules.ts';

/** `isNew` makes password managers suggest a password, and shows the rules. */
export function PasswordField(props: {
  isNew: boolean;
  name?: string;
  /** Defaults to "Password". */
  label?: string;
  error: string | undefined;
  hint?: string | undefined;
  /** For a new password: the rules that the server reported when it rejected the previous one. */
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
      below={isNew ? (id) => <PasswordRuleList id={id} field={field} reported={rules} /> : undefined}
      inset={<ShowButton isShown={isShown} toggle={() => setIsShown(!isShown)} />}
    />
  );
}

/** Hidden without scripts, because it cannot work. */
function ShowButton({ isShown, toggle }: { isShown: boolean; toggle: () => void }) {
  const { showPassword } = useTexts(uiTexts);
  if (!useIsHydrated()) return null;
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
