/** The form itself, in its four variants. */
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Form, Link, useNavigation } from 'react-router';
import { usePage } from '../request/page-context.tsx';
import { Alert } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import {
  checkCredentials,
  type LoginProblems,
  type LoginView,
  loginPath,
  MIN_PASSWORD_CHARACTERS,
} from './credentials.ts';
import { GoogleLink } from './google-link.tsx';
import { IdentifierSwitch } from './identifier-switch.tsx';
import type { LoginOutcome } from './login.server.ts';
import { PasswordField } from './password-field.tsx';

const WORDS = {
  'sign-in': {
    title: 'Welcome back',
    lead: { email: 'Sign in to your room.', phone: 'Sign in to your room.' },
    submit: 'Sign in',
    pending: 'Signing in…',
    question: 'New here?',
    other: 'Create an account',
  },
  'sign-up': {
    title: 'Create your account',
    lead: {
      email: 'All it takes is an email address and a password.',
      phone: 'All it takes is a phone number and a password.',
    },
    submit: 'Create account',
    pending: 'Creating your account…',
    question: 'Already have an account?',
    other: 'Sign in',
  },
} as const;

/** `outcome` is what the server said to the form that was sent before. */
export function LoginForm({ view, outcome }: { view: LoginView; outcome: LoginOutcome | undefined }) {
  const words = WORDS[view.mode];
  const { redirectOptions, hasGoogle } = usePage().config;
  const { problems, formRef, onSubmit } = useProblems(view, outcome?.problems);
  const isPending = useNavigation().state === 'submitting';
  return (
    <div className="grid gap-6">
      <header className="grid gap-1.5 text-center">
        <h1 id="login-title" className="text-xl font-semibold tracking-tight">
          {words.title}
        </h1>
        <p className="text-sm text-ink-muted">{words.lead[view.by]}</p>
      </header>
      {hasGoogle && <GoogleLink login={redirectOptions.login} />}
      <Form
        ref={formRef}
        method="post"
        action={loginPath(redirectOptions.login, view)}
        noValidate
        onSubmit={onSubmit}
        className="grid gap-4"
      >
        {problems.form && <Alert kind="error">{problems.form}</Alert>}
        <IdentifierSwitch view={view} login={redirectOptions.login} />
        <IdentifierField view={view} value={outcome?.identifier} error={problems.identifier} />
        <PasswordField
          key={view.mode}
          isNew={view.mode === 'sign-up'}
          error={problems.password}
          hint={view.mode === 'sign-up' ? `At least ${MIN_PASSWORD_CHARACTERS} characters.` : undefined}
        />
        <Button type="submit" look="primary" size="large" isPending={isPending} className="mt-2 w-full">
          {isPending ? words.pending : words.submit}
        </Button>
      </Form>
      <OtherMode view={view} login={redirectOptions.login} />
    </div>
  );
}

function IdentifierField({
  view,
  value,
  error,
}: {
  view: LoginView;
  value: string | undefined;
  error: string | undefined;
}) {
  const common = { defaultValue: value, error, required: true } as const;
  if (view.by === 'phone') {
    return (
      <Field
        key="phone"
        {...common}
        label="Phone number"
        name="phone"
        type="tel"
        autoComplete="tel"
        placeholder="+44 7700 900123"
      />
    );
  }
  return (
    <Field
      key="email"
      {...common}
      label="Email address"
      name="email"
      type="email"
      autoComplete={view.mode === 'sign-up' ? 'email' : 'username'}
      autoCapitalize="none"
      spellCheck={false}
      placeholder="name@example.com"
    />
  );
}

function OtherMode({ view, login }: { view: LoginView; login: string }) {
  const { question, other } = WORDS[view.mode];
  const mode = view.mode === 'sign-in' ? 'sign-up' : 'sign-in';
  return (
    <p className="text-center text-sm text-ink-muted">
      {question}{' '}
      <Link
        to={loginPath(login, { ...view, mode })}
        className="font-medium text-primary-ink underline underline-offset-4"
      >
        {other}
      </Link>
    </p>
  );
}

const NONE: LoginProblems = {};

/** The problems to show: the server's, or those found before it is asked. The first wrong field gets the focus. */
function useProblems(view: LoginView, fromServer: LoginProblems | undefined) {
  const formRef = useRef<HTMLFormElement>(null);
  const [own, setOwn] = useState<{ problems: LoginProblems; viewId: string } | undefined>();
  const viewId = `${view.mode} ${view.by}`;
  const problems = (own?.viewId === viewId ? own.problems : fromServer) ?? NONE;
  useEffect(() => {
    if (problems !== NONE) formRef.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [problems]);
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    const check = checkCredentials(view, new FormData(event.currentTarget));
    setOwn(check.problems && { problems: check.problems, viewId });
    if (check.problems) event.preventDefault();
  };
  return { problems, formRef, onSubmit };
}
