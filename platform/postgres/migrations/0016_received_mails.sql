-- Mails that programs of this machine send to the local mailbox by SMTP. They are kept messages, like the mails of the
-- instance; these columns are null for the latter.
alter table greenroom.messages
  add column mail jsonb,
  add column source bytea;
comment on column greenroom.messages.mail is 'Recipients and header fields of a received mail.';
comment on column greenroom.messages.source is 'A received mail as a message of RFC 5322.';
