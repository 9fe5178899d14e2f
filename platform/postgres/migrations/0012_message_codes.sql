-- Providers with templates of their own receive the code apart from the text.
alter table greenroom.messages add column code text;
comment on column greenroom.messages.code is
  'One-time code of a queued message to a phone; null when the message was sent or has failed.';
