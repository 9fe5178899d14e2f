/** The sections of the account page and their cards. A new section or card needs only an entry in the table. */
import type { ReactNode } from 'react';
import { Resolved } from '../../lib/resolved.tsx';
import { accountTexts } from '../../texts/account.ts';
import { useTexts } from '../../texts/use-texts.ts';
import type { Account } from './account.server.ts';
import { ApplicationsCard } from './applications-card.tsx';
import { AnchoredCard } from './card-anchor.tsx';
import { EmailCard } from './email-card.tsx';
import { FactorsCard } from './factors-card.tsx';
import { GuestCard } from './guest-card.tsx';
import { IdentitiesCard } from './identities-card.tsx';
import { KeysCard } from './keys-card.tsx';
import type { AccountCard, AccountOutcome } from './outcome.server.ts';
import { DeletionCard, ExportCard } from './own-data-cards.tsx';
import { PasskeysCard } from './passkeys-card.tsx';
import { PasswordCard } from './password-card.tsx';
import { PhoneCard } from './phone-card.tsx';
import { PhonesCard } from './phones-card.tsx';
import { ProfileCard } from './profile-card.tsx';
import { RecoveryCodesCard } from './recovery-codes-card.tsx';
import { Section, SectionLink, SectionNavigation, TrackedSections } from './section-navigation.tsx';
import { SessionsCard } from './sessions-card.tsx';

/** The data of the cards. */
interface CardsProps {
  account: Account;
  /** Returns the result of the last submitted form if it belongs to the card. */
  of(card: AccountCard): AccountOutcome | undefined;
  /** Codes that were just created, by any form of the page. */
  recoveryCodes: readonly string[] | undefined;
  /** The export of the user's data failed. */
  hasExportFailed: boolean;
}

type SectionId = keyof (typeof accountTexts)['en']['sections'];

interface SectionEntry {
  id: SectionId;
  /** Guests have no profile, sign-in methods and second factors. */
  isForGuests?: true;
  /** The section needs endpoints that a backend has only together with the list of sessions. */
  needsSessionList?: true;
  /** By id of each card; a card that does not apply renders nothing. */
  cards: readonly [id: AccountCard | 'export', render: (props: CardsProps) => ReactNode][];
}

const SECTIONS: readonly SectionEntry[] = [
  {
    id: 'profile',
    cards: [['profile', ({ account, of }) => <ProfileCard account={account} outcome={of('profile')} />]],
  },
  {
    id: 'sign-in',
    cards: [
      ['email', ({ account, of }) => <EmailCard account={account} outcome={of('email')} />],
      [
        'phone',
        ({ account, of }) => account.hasPhoneSignIn && <PhoneCard account={account} outcome={of('phone')} />,
      ],
      ['password', ({ account, of }) => <PasswordCard account={account} outcome={of('password')} />],
      [
        'passkeys',
        ({ account: { passkeys }, of }) =>
          passkeys && <PasskeysCard passkeys={passkeys} outcome={of('passkeys')} />,
      ],
      ['identities', ({ account, of }) => <IdentitiesCard account={account} outcome={of('identities')} />],
    ],
  },
  {
    id: 'two-factor',
    cards: [
      ['factors', ({ account, of }) => <FactorsCard account={account} outcome={of('factors')} />],
      ['keys', ({ account: { factors }, of }) => <KeysCard factors={factors} outcome={of('keys')} />],
      [
        'phones',
        ({ account: { acceptsPhones, factors }, of }) =>
          (acceptsPhones || factors.some(({ kind }) => kind === 'phone')) && (
            <PhonesCard factors={factors} outcome={of('phones')} />
          ),
      ],
      [
        'recovery-codes',
        ({ account: { recoveryCodes: count }, of, recoveryCodes }) =>
          count && <RecoveryCodesCard count={count} codes={recoveryCodes} outcome={of('recovery-codes')} />,
      ],
    ],
  },
  {
    id: 'devices-and-apps',
    isForGuests: true,
    cards: [
      [
        'sessions',
        ({ account: { sessions }, of }) => <SessionsCard sessions={sessions} outcome={of('sessions')} />,
      ],
      [
        'applications',
        ({ account: { applications }, of }) => (
          <ApplicationsCard applications={applications} outcome={of('applications')} />
        ),
      ],
    ],
  },
  {
    id: 'your-data',
    isForGuests: true,
    needsSessionList: true,
    cards: [
      ['export', ({ hasExportFailed }) => <ExportCard hasFailed={hasExportFailed} />],
      ['deletion', ({ account, of }) => <DeletionCard account={account} outcome={of('deletion')} />],
    ],
  },
];

const SECTION_IDS = SECTIONS.map(({ id }) => id);

/** The navigation, and next to it or below it the sections that the account has. */
export function AccountSections(props: CardsProps) {
  const { account, of } = props;
  const texts = useTexts(accountTexts);
  const sections = SECTIONS.filter(({ isForGuests }) => isForGuests || !account.isAnonymous);
  return (
    <TrackedSections ids={SECTION_IDS}>
      <div className="grid grid-cols-1 items-start gap-6 xl:grid-cols-[12rem_minmax(0,1fr)] xl:gap-8">
        <SectionNavigation label={texts.sectionNavigation}>
          {sections.map((section) => (
            <Supported key={section.id} section={section} account={account}>
              <SectionLink id={section.id}>{texts.sections[section.id].title}</SectionLink>
            </Supported>
          ))}
        </SectionNavigation>
        <div className="grid grid-cols-1 gap-10">
          {account.isAnonymous && <GuestCard newEmail={account.newEmail} outcome={of('guest')} />}
          {sections.map((section) => (
            <Supported key={section.id} section={section} account={account}>
              <Section id={section.id} {...texts.sections[section.id]}>
                <Cards {...props} section={section} />
              </Section>
            </Supported>
          ))}
        </div>
      </div>
    </TrackedSections>
  );
}

/** Renders `children` if the backend supports the section, as soon as that is known. */
function Supported(props: { section: SectionEntry; account: Account; children: ReactNode }) {
  const { section, account, children } = props;
  if (!section.needsSessionList) return children;
  return (
    <Resolved data={account.sessions} fallback={null}>
      {({ kind }) => kind !== 'unsupported' && children}
    </Resolved>
  );
}

function Cards({ section, ...props }: CardsProps & { section: SectionEntry }) {
  return section.cards.map(([id, render]) => {
    const card = render(props);
    return (
      card && (
        <AnchoredCard key={id} id={id}>
          {card}
        </AnchoredCard>
      )
    );
  });
}
