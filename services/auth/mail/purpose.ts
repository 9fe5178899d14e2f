/** What a mail with a code or a link is for: parameter `type` of /verify, or a reauthentication. */
export type MailPurpose =
  | 'signup'
  | 'invite'
  | 'recovery'
  | 'magiclink'
  | 'email_change'
  | 'reauthentication';
