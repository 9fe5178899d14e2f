/**
 * The rules of a new password, as a checklist that updates while typing. An empty field is not checked.
 * Without scripts nothing is checked: the list only shows the requirements. Rejected passwords are kept in
 * this component only.
 */
import { type RefObject, useEffect, useState } from 'react';
import { MIN_PASSWORD_CHARACTERS } from '../../session/login-view.ts';
import { passwordRuleTexts } from '../../texts/password-rules.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { Icon } from '../../ui/icon.tsx';
import { addRules, isRuleMet, type PasswordRule } from './password-rules.ts';

/**
 * `reported` are the rules that the server reported for the last submitted password; `id` is the list's id,
 * `field` the input.
 */
export function PasswordRuleList(props: {
  id: string;
  field: RefObject<HTMLInputElement | null>;
  reported: readonly PasswordRule[] | undefined;
}) {
  const { id, field, reported } = props;
  const texts = useTexts(passwordRuleTexts);
  const { password, rules } = usePassword(field, reported, texts.least(MIN_PASSWORD_CHARACTERS));
  const marks = Array.from(rules.values(), (rule) => ({ ...rule, isMet: isRuleMet(rule, password) }));
  const met = marks.filter(({ isMet }) => isMet).length;
  return (
    <>
      <ul id={id} className="grid gap-1 text-small text-ink-muted">
        {marks.map(({ text, isMet }) => (
          <li
            key={text}
            data-met={isMet}
            className="group flex items-start gap-1.5 transition-colors data-[met=true]:text-primary-ink"
          >
            {/* All icons are rendered from the start, so that none has to be loaded while typing. */}
            <Icon name="lucide:dot" className="mt-0.5 size-4 scale-200 group-data-met:hidden" />
            <Icon name="lucide:circle" className="mt-0.5 hidden size-4 group-data-[met=false]:block" />
            <Icon name="lucide:circle-check" className="mt-0.5 hidden size-4 group-data-[met=true]:block" />
            <span className="min-w-0 text-pretty wrap-anywhere">
              {text}
              {isMet !== undefined && <span className="sr-only"> {isMet ? texts.met : texts.unmet}</span>}
            </span>
          </li>
        ))}
      </ul>
      <p role="status" className="sr-only">
        {password && texts.progress(met, marks.length)}
      </p>
    </>
  );
}

/** Returns the content of the field, and the rules that are known so far. */
function usePassword(
  field: RefObject<HTMLInputElement | null>,
  reported: readonly PasswordRule[] | undefined,
  minLengthText: string,
) {
  const [password, setPassword] = useState('');
  const [sent, setSent] = useState<string>();
  const [last, setLast] = useState(reported);
  const [rules, setRules] = useState(() => {
    const lengthRule = { text: minLengthText, minLength: MIN_PASSWORD_CHARACTERS, refused: [] };
    return addRules(new Map([['', lengthRule]]), reported);
  });
  if (reported !== last) {
    setLast(reported);
    setRules(addRules(rules, reported, sent));
  }
  useEffect(() => {
    const input = field.current;
    const read = () => setPassword(input?.value ?? '');
    // The user may continue typing while the request is running.
    const send = () => setSent(input?.value);
    const forget = () => {
      setPassword('');
      setSent(undefined);
    };
    const form = input?.form;
    // It may have been filled in before hydration.
    read();
    input?.addEventListener('input', read);
    form?.addEventListener('submit', send);
    form?.addEventListener('reset', forget);
    return () => {
      input?.removeEventListener('input', read);
      form?.removeEventListener('submit', send);
      form?.removeEventListener('reset', forget);
    };
  }, [field]);
  return { password, rules };
}
