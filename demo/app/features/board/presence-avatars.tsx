/** The users who are present: a row of avatars, each with its name. */
import { Avatar, formatNumber, useLanguage, usePictureUrl, useTexts } from 'greenroom/app';
import { Tooltip } from 'greenroom/app/ui/tooltip';
import { boardTexts } from '../../texts/board.ts';
import { MAX_AVATARS, type Person } from './people.ts';

/** The first of `people` is the user who views the page. */
export function PresenceAvatars({ people }: { people: readonly Person[] }) {
  const texts = useTexts(boardTexts);
  const shown = people.length > MAX_AVATARS ? people.slice(0, MAX_AVATARS - 1) : people;
  const hidden = people.slice(shown.length);
  return (
    <ul aria-label={texts.usersOnline} className="flex gap-1.5">
      {shown.map(({ id, name, picture }, index) => (
        <PresenceAvatar
          key={id}
          name={name}
          picture={picture}
          label={index === 0 ? texts.youNamed(name || texts.guest) : name || texts.guest}
        />
      ))}
      {hidden.length > 0 && <MoreUsers people={hidden} />}
    </ul>
  );
}

function PresenceAvatar({
  name,
  picture,
  label,
}: {
  name: string;
  picture: string | undefined;
  label: string;
}) {
  const src = usePictureUrl(picture);
  return (
    <li>
      <Tooltip text={label}>
        <span
          role="img"
          aria-label={label}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach the name, too
          tabIndex={0}
          className="flex rounded-full"
        >
          <Avatar name={name} src={src} size="md" />
        </span>
      </Tooltip>
    </li>
  );
}

function MoreUsers({ people }: { people: readonly Person[] }) {
  const texts = useTexts(boardTexts);
  const language = useLanguage();
  const names = people.map(({ name }) => name || texts.guest).join(', ');
  return (
    <li>
      <Tooltip text={names}>
        <span
          role="img"
          aria-label={texts.moreUsers(people.length)}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach the names, too
          tabIndex={0}
          className="flex h-8 min-w-8 items-center justify-center rounded-full border border-line bg-sunken px-2
            text-caption font-medium text-ink-muted"
        >
          +{formatNumber(people.length, language)}
        </span>
      </Tooltip>
    </li>
  );
}
