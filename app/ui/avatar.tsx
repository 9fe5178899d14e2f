/** A user's round avatar: their picture, or initials if there is none or it fails to load. */
import { useState } from 'react';
import { AVATAR_SIZES, type AvatarSize } from './avatar-sizes.ts';
import { Icon } from './icon.tsx';
import { initialsOf } from './initials.ts';

/** Decorative: the name is next to it. Without a name it shows a generic icon. */
export function Avatar(props: { name: string; src?: string | undefined; size?: AvatarSize }) {
  const { name, src, size = 'md' } = props;
  const [failed, setFailed] = useState<string>();
  return (
    <span
      aria-hidden="true"
      className={`inline-flex shrink-0 items-center justify-center overflow-hidden rounded-full bg-primary-wash
        leading-none font-medium text-primary-ink ring-1 ring-primary-line ring-inset select-none ${AVATAR_SIZES[size]}`}
    >
      {src && src !== failed ? (
        <img
          src={src}
          alt=""
          ref={(image) => {
            // The image may have failed before hydration.
            if (image?.complete && image.naturalWidth === 0) setFailed(src);
          }}
          onError={() => setFailed(src)}
          className="size-full object-cover"
        />
      ) : (
        <Fallback name={name} />
      )}
    </span>
  );
}

function Fallback({ name }: { name: string }) {
  return name.trim() ? initialsOf(name) : <Icon name="user" className="size-[1.2em]" />;
}
