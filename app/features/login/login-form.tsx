/** The sign-in form in its four variants. */
import { type FormEvent, lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { Form, useNavigation } from 'react-router';
import { Optional } from '../../lib/optional.tsx';
import { usePage } from '../../lib/page/page-context.tsx';
import { type Identifier, type LoginView, loginPath } from '../../session/login-view.ts';
import { oneTimePath } from '../../session/one-time-view.ts';
import { loginTexts } from '../../texts/login.ts';
import { useLanguage, useTexts } from '../../texts/use-texts.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { SegmentedLinks } from '../../ui/segmented-control.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { Captcha } from '../captcha/captcha.tsx';
import type { LoginProblems } from './credentials.ts';
import { IdentifierField } from './identifier-field.tsx';
import type { LoginOutcome } from './login-outcome.ts';
import { PasswordField } from './password-field.tsx';
import type { SignInMethods } from './sign-in-methods.server.ts';
import { useCheck } from './use-check.ts';
import { useUnsentEditCount } from './use-unsent-edit-count.ts';

const ProviderLinks = lazy(() => import('./provider-links.tsx'));
const SignInMethodList = lazy(() => import('./sign-in-method-list.tsx'));
const UnsentEditsNotice = lazy(() => import('./unsent-edits-notice.tsx'));
const DeletedNotice = lazy(() => import('./deleted-notice.tsx'));

interface LoginFormProps {
  view: LoginView;
  /** The server's response to the previous submission. */
  outcome: LoginOutcome | undefined;
  /** Undefined if the server did not report them. */
  methods: SignInMethods | undefined;
  /** The visitor has just deleted their account. */
  isDeleted: boolean;
}

/** The form, with all sign-in methods of the site. */
export function LoginForm({ view, outcome, methods, isDeleted }: LoginFormProps) {
  const texts = useTexts(loginTexts);
  const words = view.mode === 'sign-in' ? texts.signIn : texts.signUp;
  const { redirectOptions, providers } = usePage().config;
  const { problems, formRef, onSubmit, onFocus } = useProblems(view, outcome?.problems);
  const { state, formData } = useNavigation();
  const unsentCount = useUnsentEditCount();
  const isPending = state === 'submitting' && !formData?.has('intent');
  return (
    <div className="grid gap-7">
      {isDeleted && !outcome && (
        <LazyPart>
          <DeletedNotice />
        </LazyPart>
      )}
      {unsentCount > 0 && (
        <LazyPart>
          <UnsentEditsNotice count={unsentCount} />
        </LazyPart>
      )}
      <header className="grid gap-1">
        <h1 id="login-title" className="text-heading font-semibold">
          {words.title}
        </h1>
        <p className="text-body text-ink-muted">{words.lead[view.by]}</p>
      </header>
      {providers.length > 0 && (
        <LazyPart>
          <ProviderLinks providers={providers} login={redirectOptions.login} />
        </LazyPart>
      )}
      <Form
        ref={formRef}
        method="post"
        action={loginPath(redirectOptions.login, view)}
        noValidate
        onSubmit={onSubmit}
        onFocus={onFocus}
        className="grid gap-4"
      >
        {problems.form && <Alert kind="error">{problems.form}</Alert>}
        <IdentifierSwitch view={view} login={redirectOptions.login} />
        <IdentifierField view={view} value={outcome?.identifier} error={problems.identifier} />
        <PasswordField
          key={view.mode}
          isNew={view.mode === 'sign-up'}
          error={problems.password}
          rules={outcome?.rules}
        />
        <Captcha />
        <Button type="submit" variant="primary" size="large" isPending={isPending} className="mt-2 w-full">
          {isPending ? words.pending : words.submit}
        </Button>
      </Form>
      {methods && (methods.passkey || methods.anonymous) && (
        <LazyPart>
          <SignInMethodList methods={methods} login={redirectOptions.login} mode={view.mode} />
        </LazyPart>
      )}
      <footer className="grid gap-2">
        {view.mode === 'sign-in' && <OtherMethods by={view.by} login={redirectOptions.login} />}
        <OtherMode view={view} login={redirectOptions.login} />
      </footer>
    </div>
  );
}

/** Loads optional parts on demand. If one fails, the form works without it. */
function LazyPart({ children }: { children: ReactNode }) {
  return (
    <Optional>
      <Suspense>{children}</Suspense>
    </Optional>
  );
}

/** For users who have forgotten their password, or have none. */
function OtherMethods({ by, login }: { by: Identifier; login: string }) {
  const texts = useTexts(loginTexts);
  return (
    <p className="flex flex-wrap gap-x-5 gap-y-2 text-body">
      <TextLink to={oneTimePath(login, 'code', by)}>{texts.withCode}</TextLink>
      {by === 'email' && <TextLink to={oneTimePath(login, 'recover')}>{texts.forgotPassword}</TextLink>}
    </p>
  );
}

/** Email or phone: two links, so that the choice works without scripts. */
function IdentifierSwitch({ view, login }: { view: LoginView; login: string }) {
  const texts = useTexts(loginTexts);
  const links = (['email', 'phone'] as const).map((by) => ({
    to: loginPath(login, { ...view, by }),
    label: texts[by],
    isCurrent: view.by === by,
  }));
  return <SegmentedLinks label={texts.signInWith} links={links} />;
}

function OtherMode({ view, login }: { view: LoginView; login: string }) {
  const texts = useTexts(loginTexts);
  const { question, otherMode } = view.mode === 'sign-in' ? texts.signIn : texts.signUp;
  const mode = view.mode === 'sign-in' ? 'sign-up' : 'sign-in';
  return (
    <p className="text-body text-ink-muted">
      {question} <TextLink to={loginPath(login, { ...view, mode })}>{otherMode}</TextLink>
    </p>
  );
}

const NONE: LoginProblems = {};

/**
 * Returns the problems to show: those of the server, or those found before sending. The first invalid field
 * gets the focus.
 */
function useProblems(view: LoginView, fromServer: LoginProblems | undefined) {
  const formRef = useRef<HTMLFormElement>(null);
  const language = useLanguage();
  const check = useCheck();
  const [own, setOwn] = useState<{ problems: LoginProblems; viewId: string } | undefined>();
  const viewId = `${view.mode} ${view.by}`;
  const problems = (own?.viewId === viewId ? own.problems : fromServer) ?? NONE;
  useEffect(() => {
    if (problems !== NONE) formRef.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [problems]);
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    const found = check.current?.(view, new FormData(event.currentTarget), language);
    setOwn(found && { problems: found, viewId });
    if (found) event.preventDefault();
  };
  return { problems, formRef, onSubmit, onFocus: check.load };
}
