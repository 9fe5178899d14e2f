/** Purpose of a mail with a code or link: parameter `type` of /verify, or a reauthentication. */
export type MailPurpose =
  | 'signup'
  | 'invite'
  | 'recovery'
  | 'magiclink'
  | 'email_change'
  | 'reauthentication';
