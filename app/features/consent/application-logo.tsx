/** The logo of an OAuth application, or its initials if there is none or it fails to load. */
import { useState } from 'react';
import { Icon } from '../../ui/icon.tsx';
import { initialsOf } from '../../ui/initials.ts';

/** Decorative: the name is below it. The logo's server does not learn which page shows it. */
export function ApplicationLogo({ name, logo }: { name: string | undefined; logo: string | undefined }) {
  const [failed, setFailed] = useState<string>();
  return (
    <span
      aria-hidden="true"
      className="inline-flex size-14 items-center justify-center overflow-hidden rounded-card bg-primary-wash text-heading
        font-medium text-primary-ink ring-1 ring-primary-line ring-inset select-none"
    >
      {logo && logo !== failed ? (
        <img
          src={logo}
          alt=""
          referrerPolicy="no-referrer"
          ref={(image) => {
            // The image may have failed before hydration.
            if (image?.complete && image.naturalWidth === 0) setFailed(logo);
          }}
          onError={() => setFailed(logo)}
          className="size-full object-contain"
        />
      ) : (
        <Letters name={name} />
      )}
    </span>
  );
}

function Letters({ name }: { name: string | undefined }) {
  return name === undefined ? <Icon name="shield" className="size-7" /> : initialsOf(name);
}
