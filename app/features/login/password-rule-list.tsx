/**
 * The rules of a new password as a list that is ticked off while it is typed. An empty field is not judged, and nothing
 * is without scripts: then the list only says what is asked for. What was refused is remembered here and nowhere else.
 */
import { type RefObject, useEffect, useState } from 'react';
import { MIN_PASSWORD_CHARACTERS } from '../../session/login-view.ts';
import { passwordRuleTexts } from '../../texts/password-rules.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { Icon } from '../../ui/icon.tsx';
import { isRuleMet, learnRules, type PasswordRule } from './password-rules.ts';

/** `told` is what the server said of the password that was sent last; `id` is for the list, `field` is what is typed into. */
export function PasswordRuleList(props: {
  id: string;
  field: RefObject<HTMLInputElement | null>;
  told: readonly PasswordRule[] | undefined;
}) {
  const { id, field, told } = props;
  const texts = useTexts(passwordRuleTexts);
  const { password, rules } = usePassword(field, told, texts.least(MIN_PASSWORD_CHARACTERS));
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
            {/* All are there from the start, so that none has to be loaded while somebody types. */}
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

/** What stands in the field, and the rules that are known by now. */
function usePassword(
  field: RefObject<HTMLInputElement | null>,
  told: readonly PasswordRule[] | undefined,
  leastText: string,
) {
  const [password, setPassword] = useState('');
  const [sent, setSent] = useState<string>();
  const [last, setLast] = useState(told);
  const [rules, setRules] = useState(() => {
    const least = { text: leastText, least: MIN_PASSWORD_CHARACTERS, refused: [] };
    return learnRules(new Map([['', least]]), told);
  });
  if (told !== last) {
    setLast(told);
    setRules(learnRules(rules, told, sent));
  }
  useEffect(() => {
    const input = field.current;
    const read = () => setPassword(input?.value ?? '');
    // While an answer is on its way, somebody may go on typing.
    const send = () => setSent(input?.value);
    const forget = () => {
      setPassword('');
      setSent(undefined);
    };
    const form = input?.form;
    // It may have been filled in before the page was alive.
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
