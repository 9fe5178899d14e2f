/** The catalogue of every component in every state, in both colour modes. */
import { useState } from 'react';
import { flushSync } from 'react-dom';
import { catalogueTexts } from '../../../texts/catalogue.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { type ColourMode, SWITCHING_ATTRIBUTE } from '../../../ui/colour-mode.ts';
import { Page } from '../../../ui/page.tsx';
import { PageHeader } from '../../../ui/page-header.tsx';
import { PortalContainer } from '../../../ui/portal-container.tsx';
import { SegmentedRadios } from '../../../ui/segmented-control.tsx';
import { ActionEntries } from './actions.tsx';
import { DisplayEntries } from './display.tsx';
import { Group } from './entry.tsx';
import { FeedbackEntries } from './feedback.tsx';
import { FormEntries } from './forms.tsx';
import { FoundationEntries } from './foundations.tsx';
import { OverlayEntries } from './overlays.tsx';

const GROUPS = {
  foundations: FoundationEntries,
  actions: ActionEntries,
  forms: FormEntries,
  display: DisplayEntries,
  overlays: OverlayEntries,
  feedback: FeedbackEntries,
} as const;
type GroupName = keyof typeof GROUPS;
const NAMES = Object.keys(GROUPS) as GroupName[];

/**
 * The examples and their overlays have a colour mode of their own: the admin area around them is always
 * dark.
 */
export function Catalogue() {
  const texts = useTexts(catalogueTexts);
  const [mode, setMode] = useState<ColourMode>('dark');
  const [container, setContainer] = useState<HTMLElement | null>(null);
  return (
    <div ref={setContainer} className={`${mode} flex-1 bg-canvas text-ink`}>
      <PortalContainer value={container}>
        <Page>
          <PageHeader
            title={texts.title}
            description={texts.description}
            actions={
              <ModeSwitch
                mode={mode}
                choose={(chosen) => withoutTransitions(container, () => setMode(chosen))}
              />
            }
          />
          <Contents />
          {NAMES.map((name) => {
            const Entries = GROUPS[name];
            return (
              <Group key={name} id={name} title={texts.groups[name]}>
                <Entries />
              </Group>
            );
          })}
        </Page>
      </PortalContainer>
    </div>
  );
}

/** Runs a change of the container's colour mode without transitions. */
function withoutTransitions(container: HTMLElement | null, change: () => void): void {
  container?.setAttribute(SWITCHING_ATTRIBUTE, '');
  flushSync(change);
  // Reading a computed style makes the browser apply the colours while transitions are off.
  if (container) void getComputedStyle(container).opacity;
  container?.removeAttribute(SWITCHING_ATTRIBUTE);
}

function ModeSwitch({ mode, choose }: { mode: ColourMode; choose(mode: ColourMode): void }) {
  const texts = useTexts(catalogueTexts);
  const options = [
    { value: 'light', label: texts.modes.light },
    { value: 'dark', label: texts.modes.dark },
  ] as const;
  return <SegmentedRadios label={texts.mode} options={options} value={mode} onChange={choose} />;
}

function Contents() {
  const texts = useTexts(catalogueTexts);
  return (
    <nav aria-label={texts.contents}>
      <ul className="flex flex-wrap gap-x-5 gap-y-1">
        {NAMES.map((name) => (
          <li key={name}>
            <a
              href={`#${name}`}
              className="rounded-sm text-small font-medium text-ink-muted transition-colors hover:text-ink"
            >
              {texts.groups[name]}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
