/**
 * The consent page. It has no navigation, so that the user focuses on the decision. Works without scripts.
 */
import { useEffect, useState } from 'react';
import { Form, useNavigation } from 'react-router';
import { LazyPaletteButton } from '../../shell/overlays/lazy-shortcuts.tsx';
import { consentTexts } from '../../texts/consent.ts';
import { useSiteName, useTexts } from '../../texts/use-texts.ts';
import { BrandLink } from '../../ui/brand.tsx';
import { BreakableText } from '../../ui/breakable-text.tsx';
import { Button, ButtonLink, buttonClass } from '../../ui/button.tsx';
import { DescriptionItem, DescriptionList } from '../../ui/description-list.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Notice } from '../../ui/notice.tsx';
import { ScreenSettings } from '../../ui/screen-settings.tsx';
import type { Application } from './application.ts';
import { ApplicationLogo } from './application-logo.tsx';
import type { Consent } from './consent.server.ts';
import { describeScopes } from './describe-scopes.ts';

/** Shows the request, or its result. */
export function ConsentPage({ consent }: { consent: Consent }) {
  return (
    <div className="flex flex-1 flex-col px-5 sm:px-8">
      <header className="flex h-16 shrink-0 items-center justify-between">
        <BrandLink />
        <LazyPaletteButton />
      </header>
      <Content consent={consent} />
      <footer className="py-4">
        <ScreenSettings />
      </footer>
    </div>
  );
}

function Content({ consent }: { consent: Consent }) {
  const texts = useTexts(consentTexts);
  if (consent.kind === 'question') return <ConsentForm {...consent} />;
  if (consent.kind === 'answered') return <Answered {...consent} />;
  const isNotFound = consent.kind === 'gone';
  return (
    <Notice
      icon="alert"
      isProblem
      title={isNotFound ? texts.expiredTitle : texts.failedTitle}
      text={<p role="alert">{isNotFound ? texts.expiredText : consent.message}</p>}
    >
      <ButtonLink to="/" variant="primary" size="large" className="w-full">
        {texts.toHome}
      </ButtonLink>
    </Notice>
  );
}

function ConsentForm({ application, scopes, person }: Extract<Consent, { kind: 'question' }>) {
  const texts = useTexts(consentTexts);
  const { name = texts.unnamed, logo, destination } = application;
  return (
    <section aria-labelledby="consent-title" className="m-auto grid w-full max-w-md gap-5 py-8">
      <header className="grid justify-items-center gap-3 text-center">
        <ApplicationLogo name={application.name} logo={logo} />
        <div className="grid gap-1">
          <h1 id="consent-title" className="text-heading font-semibold [overflow-wrap:anywhere]">
            {texts.title(name)}
          </h1>
          <p className="text-body text-ink-muted [overflow-wrap:anywhere]">
            {texts.lead(name, useSiteName())} {texts.warning}
          </p>
        </div>
      </header>
      <div className="card overflow-hidden">
        <DescriptionList>
          <DescriptionItem label={texts.redirectsTo}>
            <strong className="font-medium">
              <DestinationName destination={destination} />
            </strong>
          </DescriptionItem>
          <DescriptionItem label={texts.signedInAs}>
            <BreakableText text={person} />
          </DescriptionItem>
          <DescriptionItem label={texts.permissions}>
            <ul className="grid gap-1.5">
              {describeScopes(scopes, texts.scopes).map((words) => (
                <li key={words} className="flex gap-2">
                  <Icon name="check" className="mt-0.5 size-4 shrink-0 text-primary-ink" />
                  <span className="min-w-0">{words}</span>
                </li>
              ))}
            </ul>
          </DescriptionItem>
        </DescriptionList>
        <p className="border-t border-line bg-sunken px-5 py-3 text-small text-ink-muted">
          {texts.apiAccess}
        </p>
      </div>
      <Decision />
      <p className="text-center text-small text-ink-muted">{texts.revocation}</p>
    </section>
  );
}

function DestinationName({ destination: { kind, name } }: { destination: Application['destination'] }) {
  const texts = useTexts(consentTexts);
  return texts.place[kind](name);
}

/** Both buttons have the same size; after the decision, both are disabled. */
function Decision() {
  const texts = useTexts(consentTexts);
  const { formData } = useNavigation();
  const pending = formData?.get('decision');
  const isBusy = pending !== undefined && pending !== null;
  return (
    <Form method="post" className="grid grid-cols-2 gap-3">
      {(['deny', 'approve'] as const).map((decision) => (
        <Button
          key={decision}
          type="submit"
          name="decision"
          value={decision}
          variant={decision === 'approve' ? 'primary' : 'secondary'}
          size="large"
          isPending={pending === decision}
          disabled={isBusy && pending !== decision}
        >
          {decision === 'approve' ? texts.authorize : texts.cancel}
        </Button>
      ))}
    </Form>
  );
}

/** Redirects to the application: by script or, without scripts, by a meta element. */
function Answered({ address, destination }: Extract<Consent, { kind: 'answered' }>) {
  const texts = useTexts(consentTexts);
  useLeaving(address);
  return (
    <>
      <noscript>
        <meta httpEquiv="refresh" content={`0;url=${address}`} />
      </noscript>
      <Notice
        icon="check"
        title={texts.redirecting(
          destination.kind === 'app' ? texts.place.app(destination.name) : destination.name,
        )}
        text={<p>{texts.redirectingText}</p>}
      >
        <a
          href={address}
          rel="noreferrer"
          className={buttonClass({ variant: 'primary', size: 'large' }, 'w-full')}
        >
          {texts.continue}
        </a>
      </Notice>
    </>
  );
}

/** Redirects once, because the code is valid for one visit. Navigating back does not return to this page. */
function useLeaving(address: string): void {
  const [left] = useState(() => new Set<string>());
  useEffect(() => {
    if (left.has(address)) return;
    left.add(address);
    window.location.replace(address);
  }, [address, left]);
}
