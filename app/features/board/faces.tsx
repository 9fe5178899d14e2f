/** The users who are present: a row of avatars, each with its name. */
import { usePictureUrl } from '../../session/use-picture.ts';
import { boardTexts } from '../../texts/board.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import { MAX_FACES, type Person } from './people.ts';

/** The first of `people` is the user who views the page. */
export function Faces({ people }: { people: readonly Person[] }) {
  const texts = useTexts(boardTexts);
  const shown = people.length > MAX_FACES ? people.slice(0, MAX_FACES - 1) : people;
  const more = people.slice(shown.length);
  return (
    <ul aria-label={texts.peopleHere} className="flex gap-1.5">
      {shown.map(({ id, name, picture }, index) => (
        <Face
          key={id}
          name={name}
          picture={picture}
          label={index === 0 ? texts.youNamed(name || texts.guest) : name || texts.guest}
        />
      ))}
      {more.length > 0 && <More people={more} />}
    </ul>
  );
}

function Face({ name, picture, label }: { name: string; picture: string | undefined; label: string }) {
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

function More({ people }: { people: readonly Person[] }) {
  const texts = useTexts(boardTexts);
  const names = people.map(({ name }) => name || texts.guest).join(', ');
  return (
    <li>
      <Tooltip text={names}>
        <span
          role="img"
          aria-label={texts.morePeople(people.length)}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach the names, too
          tabIndex={0}
          className="flex h-8 min-w-8 items-center justify-center rounded-full border border-line bg-sunken px-2
            text-caption font-medium text-ink-muted"
        >
          +{people.length}
        </span>
      </Tooltip>
    </li>
  );
}
