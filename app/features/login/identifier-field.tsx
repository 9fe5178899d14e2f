/** The input for the email address or phone number. */

import type { LoginView } from '../../session/login-view.ts';
import { loginTexts } from '../../texts/login.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { Field } from '../../ui/field.tsx';

/** `value` is the previous input; `error` is the problem with it. */
export function IdentifierField(props: {
  view: LoginView;
  value: string | undefined;
  error: string | undefined;
}) {
  const { view, value, error } = props;
  const texts = useTexts(loginTexts);
  const common = { defaultValue: value, error, required: true } as const;
  if (view.by === 'phone') {
    return (
      <Field
        key="phone"
        {...common}
        label={texts.phoneNumber}
        name="phone"
        type="tel"
        autoComplete="tel"
        placeholder={texts.phonePlaceholder}
      />
    );
  }
  return (
    <Field
      key="email"
      {...common}
      label={texts.emailAddress}
      name="email"
      type="email"
      autoComplete={view.mode === 'sign-up' ? 'email' : 'username'}
      autoCapitalize="none"
      spellCheck={false}
      placeholder={texts.emailPlaceholder}
    />
  );
}
