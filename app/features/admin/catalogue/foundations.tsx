/** Colours, type, elevation and icons. */
import { catalogueTexts } from '../../../texts/catalogue.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { BreakableText } from '../../../ui/breakable-text.tsx';
import { Icon, type IconName } from '../../../ui/icon.tsx';
import { Entry } from './entry.tsx';

/** Written out, because Tailwind finds class names by scanning the sources. */
const SHADES = {
  primary: [
    'bg-(--ui-color-primary-50)',
    'bg-(--ui-color-primary-100)',
    'bg-(--ui-color-primary-200)',
    'bg-(--ui-color-primary-300)',
    'bg-(--ui-color-primary-400)',
    'bg-(--ui-color-primary-500)',
    'bg-(--ui-color-primary-600)',
    'bg-(--ui-color-primary-700)',
    'bg-(--ui-color-primary-800)',
    'bg-(--ui-color-primary-900)',
    'bg-(--ui-color-primary-950)',
  ],
  neutral: [
    'bg-(--ui-color-neutral-50)',
    'bg-(--ui-color-neutral-100)',
    'bg-(--ui-color-neutral-200)',
    'bg-(--ui-color-neutral-300)',
    'bg-(--ui-color-neutral-400)',
    'bg-(--ui-color-neutral-500)',
    'bg-(--ui-color-neutral-600)',
    'bg-(--ui-color-neutral-700)',
    'bg-(--ui-color-neutral-800)',
    'bg-(--ui-color-neutral-900)',
    'bg-(--ui-color-neutral-950)',
  ],
} as const;

const ROLES: readonly [name: string, className: string][] = [
  ['canvas', 'bg-canvas'],
  ['sunken', 'bg-sunken'],
  ['surface', 'bg-surface'],
  ['raised', 'bg-raised'],
  ['hover', 'bg-hover'],
  ['line', 'bg-line'],
  ['line-strong', 'bg-line-strong'],
  ['ink', 'bg-ink'],
  ['ink-muted', 'bg-ink-muted'],
  ['ink-faint', 'bg-ink-faint'],
  ['primary', 'bg-primary'],
  ['solid', 'bg-solid'],
  ['primary-wash', 'bg-primary-wash'],
  ['danger-solid', 'bg-danger-solid'],
  ['danger-wash', 'bg-danger-wash'],
  ['warning-wash', 'bg-warning-wash'],
  ['info-wash', 'bg-info-wash'],
];

const TYPE: readonly [name: string, className: string][] = [
  ['display', 'text-display font-semibold'],
  ['heading', 'text-heading font-semibold'],
  ['title', 'text-title font-semibold'],
  ['lead', 'text-lead font-semibold'],
  ['body', 'text-body'],
  ['small', 'text-small'],
  ['caption', 'text-caption'],
  ['mono', 'font-mono text-small'],
];

const ELEVATIONS = ['shadow-low', 'shadow-mid', 'shadow-high'] as const;

const ICONS: readonly IconName[] = ['alert', 'check', 'chevron', 'close', 'copy', 'eye', 'mail', 'users'];

/** The entries of this group. */
export function FoundationEntries() {
  const { descriptions, samples } = useTexts(catalogueTexts);
  return (
    <>
      <Entry name="Colours" description={descriptions.colours} isWide>
        <Shades name="primary" />
        <Shades name="neutral" />
      </Entry>
      <Entry name="Roles" description={descriptions.roles} isWide>
        <ul className="grid grid-cols-2 gap-3 sm:grid-cols-4">
          {ROLES.map(([name, className]) => (
            <li key={name} className="flex items-center gap-2.5">
              <span className={`size-8 shrink-0 rounded-control border border-line ${className}`} />
              <code className="min-w-0 font-mono text-caption">
                <BreakableText text={name} />
              </code>
            </li>
          ))}
        </ul>
      </Entry>
      <Entry name="Type" description={descriptions.type} isWide>
        <dl className="grid gap-3 rounded-card border border-line bg-surface p-5">
          {TYPE.map(([name, className]) => (
            <div key={name} className="flex flex-wrap items-baseline gap-x-6">
              <dt className="w-16 text-caption text-ink-muted">{name}</dt>
              <dd className={className}>{samples.typeSample}</dd>
            </div>
          ))}
        </dl>
      </Entry>
      <Entry name="Elevation" description={descriptions.elevation}>
        {ELEVATIONS.map((name) => (
          <span
            key={name}
            className={`flex h-20 w-28 items-center justify-center rounded-card border border-line bg-raised font-mono text-caption ${name}`}
          >
            {name}
          </span>
        ))}
      </Entry>
      <Entry name="Icon" description={descriptions.icons}>
        {ICONS.map((name) => (
          <Icon key={name} name={name} className="size-5 text-ink-muted" />
        ))}
      </Entry>
    </>
  );
}

function Shades({ name }: { name: keyof typeof SHADES }) {
  return (
    <div>
      <p className="mb-1.5 font-mono text-caption text-ink-muted">{`--ui-color-${name}-50…950`}</p>
      <div className="flex overflow-hidden rounded-control border border-line">
        {SHADES[name].map((className) => (
          <span key={className} className={`h-10 flex-1 ${className}`} />
        ))}
      </div>
    </div>
  );
}
