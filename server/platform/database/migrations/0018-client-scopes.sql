-- What a client key may do, by groups of objects, and how many calls a second; one that is made without a word may do nothing (R80).
alter table provider_keys
  add column scopes text[] not null default '{}',
  add column per_second int not null default 20 check (per_second > 0);
-- Keys from before go on as they did.
update provider_keys set per_second = 100, scopes = array[
  'customers:write', 'signatures:write', 'seals:write', 'timestamp-accounts:write', 'timestamp-packages:write', 'timestamp-usage:write',
  'document-cases:write', 'voucher-codes:write', 'voucher-cases:write', 'renewals:write', 'software:write'
];

-- What many customers are sent at once lets everything else go first: nobody's code waits behind it.
alter table outbox
  add column bulk boolean not null default false,
  drop constraint outbox_channel_check,
  add constraint outbox_channel_check check
    (channel in ('mail', 'sms', 'password-link', 'registration', 'seal-invitation', 'agreement-signature', 'data-export', 'customer-invitation')) not valid;
create index outbox_turn on outbox (bulk, next_try_at) where outcome is null;
drop index outbox_due;
