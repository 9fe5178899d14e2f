/** A password's field: it can be shown, and it says when Caps Lock is on. */
import { type KeyboardEvent, useState } from 'react';
import { Field } from '../ui/field.tsx';
import { Icon } from '../ui/icon.tsx';
import { useIsAlive } from '../ui/use-is-alive.ts';

/** `isNew` makes password managers offer one. */
export function PasswordField(props: {
  isNew: boolean;
  error: string | undefined;
  hint: string | undefined;
}) {
  const { isNew, error, hint } = props;
  const [isShown, setIsShown] = useState(false);
  const [isCapsLockOn, setIsCapsLockOn] = useState(false);
  const watch = (event: KeyboardEvent) => setIsCapsLockOn(event.getModifierState('CapsLock'));
  return (
    <Field
      label="Password"
      name="password"
      type={isShown ? 'text' : 'password'}
      autoComplete={isNew ? 'new-password' : 'current-password'}
      autoCapitalize="none"
      spellCheck={false}
      required
      error={error}
      hint={hint}
      liveHint={isCapsLockOn ? 'Caps Lock is on.' : ''}
      onKeyDown={watch}
      onKeyUp={watch}
      onBlur={() => setIsCapsLockOn(false)}
      inset={<ShowButton isShown={isShown} toggle={() => setIsShown(!isShown)} />}
    />
  );
}

/** Without scripts there is nothing it could do, so it is not there. */
function ShowButton({ isShown, toggle }: { isShown: boolean; toggle: () => void }) {
  if (!useIsAlive()) return null;
  return (
    <button
      type="button"
      aria-pressed={isShown}
      aria-label="Show password"
      onClick={toggle}
      className="absolute inset-y-0 end-0 flex w-11 items-center justify-center rounded-lg text-ink-muted
        transition-colors duration-150 hover:text-ink"
    >
      <Icon name={isShown ? 'eyeOff' : 'eye'} className="size-5" />
    </button>
  );
}
