/** The provider's widget with its status text. Loaded only on sites with a captcha. */
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

/** Shows the widget and its status. */
export default function CaptchaWidget({ settings }: { settings: CaptchaSettings }) {
  const texts = useTexts(captchaTexts);
  const state = useCaptchaState();
  const group = useFocusWhenMissed(state.missed);
  const { container, retry } = useWidget(settings);
  useConsumedToken();
  const hasFailed = state.phase === 'failed';
  const tryAgain = () => {
    // The button is removed, so the focus moves to the group.
    group.current?.focus();
    retry();
  };
  return (
    <fieldset ref={group} aria-label={texts.title} tabIndex={-1} className="grid w-full min-w-0 gap-2">
      <noscript>
        <Alert kind="warning">{texts.needsScripts}</Alert>
      </noscript>
      {/* Reserves the approximate height of the widget, to avoid a layout shift. */}
      <div ref={container} className={`noscript:hidden ${hasFailed ? '' : 'min-h-20'}`} />
      <div className="grid gap-2 noscript:hidden">
        <div id={CAPTCHA_STATE_ID}>
          <StateText {...state} />
        </div>
        {hasFailed && (
          <Button type="button" size="small" className="justify-self-start" onClick={tryAgain}>
            {texts.tryAgain}
          </Button>
        )}
      </div>
      <CaptchaToken />
    </fieldset>
  );
}

/** The status text: announced politely, but at once after a submission without a token. */
function StateText({ phase, missed }: CaptchaState) {
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

/** Renders the provider's widget, and renders it again on a retry and when the colours change. */
function useWidget(settings: CaptchaSettings) {
  const container = useRef<HTMLDivElement>(null);
  const [attempts, setAttempts] = useState(0);
  const language = useLanguage();
  const theme = useShownColours();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another try renders it again
  useEffect(
    () =>
      container.current && theme ? showWidget(container.current, settings, { theme, language }) : undefined,
    [settings, theme, language, attempts],
  );
  return { container, retry: () => setAttempts(attempts + 1) };
}

/** Undefined until hydration. */
function useShownColours(): ColourMode | undefined {
  const colours = useColourMode();
  // The document's class is already updated when subscribers run.
  return colours && (document.documentElement.classList.contains('dark') ? 'dark' : 'light');
}

/** Moves the focus to the widget after a submission without a token. */
function useFocusWhenMissed(missed: number) {
  const group = useRef<HTMLFieldSetElement>(null);
  useEffect(() => {
    if (missed > 0) group.current?.focus();
  }, [missed]);
  return group;
}

/**
 * Clears a sent token when the response arrives, because it cannot be used again. After a success, the page
 * is left.
 */
function useConsumedToken(): void {
  const { state, formData } = useNavigation();
  const wasSent = useRef(false);
  useEffect(() => {
    if (state === 'submitting' && formData?.get(CAPTCHA_FIELD)) wasSent.current = true;
    if (state !== 'idle' || !wasSent.current) return;
    wasSent.current = false;
    captchaStore.consume();
  }, [state, formData]);
}
