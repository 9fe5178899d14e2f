/** The provider's widget, and how it stands in words. Loaded only where a site has a captcha. */
import { useEffect, useRef, useState } from 'react';
import { useNavigation } from 'react-router';
import type { CaptchaSettings } from '../../lib/page/captcha-settings.ts';
import { captchaTexts } from '../../texts/captcha.ts';
import { useLanguage, useTexts } from '../../texts/use-texts.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import type { ColourMode } from '../../ui/colour-mode.ts';
import { useColourMode } from '../../ui/use-colour-mode.ts';
import { CAPTCHA_FIELD } from './captcha-field.ts';
import { type CaptchaState, captchaStore, useCaptchaState } from './captcha-store.ts';
import { CAPTCHA_STATE_ID, CaptchaToken } from './captcha-token.tsx';
import { showWidget } from './show-widget.ts';

/** See the head of this file. */
export default function CaptchaWidget({ settings }: { settings: CaptchaSettings }) {
  const texts = useTexts(captchaTexts);
  const state = useCaptchaState();
  const group = useFocusWhenMissed(state.missed);
  const { place, makeAnew } = useWidget(settings);
  useSpending();
  const hasFailed = state.phase === 'failed';
  const tryAgain = () => {
    // The button goes away.
    group.current?.focus();
    makeAnew();
  };
  return (
    <fieldset ref={group} aria-label={texts.title} tabIndex={-1} className="grid w-full min-w-0 gap-2">
      <noscript>
        <Alert kind="warning">{texts.needsScripts}</Alert>
      </noscript>
      {/* About as high as what will be there, so that nothing moves. */}
      <div ref={place} className={`noscript:hidden ${hasFailed ? '' : 'min-h-20'}`} />
      <div className="grid gap-2 noscript:hidden">
        <div id={CAPTCHA_STATE_ID}>
          <StateWords {...state} />
        </div>
        {hasFailed && (
          <Button type="button" size="small" className="justify-self-start" onClick={tryAgain}>
            {texts.again}
          </Button>
        )}
      </div>
      <CaptchaToken />
    </fieldset>
  );
}

/** Told when it suits; once somebody goes on without a token, at once. */
function StateWords({ phase, missed }: CaptchaState) {
  const { phases, missing } = useTexts(captchaTexts);
  if (phase !== 'solved' && missed > 0) {
    return (
      <Alert key={missed} kind="error">
        {missing[phase]}
      </Alert>
    );
  }
  if (phase === 'failed') return <Alert kind="error">{phases.failed}</Alert>;
  return (
    <p role="status" className="text-small text-ink-muted">
      {phases[phase]}
    </p>
  );
}

/** The element for the provider's widget, which is made anew with every try, and when the colours change. */
function useWidget(settings: CaptchaSettings) {
  const place = useRef<HTMLDivElement>(null);
  const [tries, setTries] = useState(0);
  const language = useLanguage();
  const theme = useShownColours();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another try makes it anew
  useEffect(
    () => (place.current && theme ? showWidget(place.current, settings, { theme, language }) : undefined),
    [settings, theme, language, tries],
  );
  return { place, makeAnew: () => setTries(tries + 1) };
}

/** Undefined until the page is alive. */
function useShownColours(): ColourMode | undefined {
  const colours = useColourMode();
  // The document wears them before anybody is told.
  return colours && (document.documentElement.classList.contains('dark') ? 'dark' : 'light');
}

/** Whoever went on without a token is led to the widget. */
function useFocusWhenMissed(missed: number) {
  const group = useRef<HTMLFieldSetElement>(null);
  useEffect(() => {
    if (missed > 0) group.current?.focus();
  }, [missed]);
  return group;
}

/** A token that was sent is worth nothing once there is an answer. Where all went well, the page is left. */
function useSpending(): void {
  const { state, formData } = useNavigation();
  const wasSent = useRef(false);
  useEffect(() => {
    if (state === 'submitting' && formData?.get(CAPTCHA_FIELD)) wasSent.current = true;
    if (state !== 'idle' || !wasSent.current) return;
    wasSent.current = false;
    captchaStore.spend();
  }, [state, formData]);
}
