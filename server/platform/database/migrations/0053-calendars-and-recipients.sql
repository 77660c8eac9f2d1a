-- CAL: the private address by which programs read a customer’s expiry dates; only a hash of its token (R210).
create table calendar_addresses (
  account_id uuid primary key references accounts on delete cascade,
  token_hash bytea not null unique,
  made_at timestamptz not null default portal_now()
);

-- SEA-19: a second recipient of the reminders of a seal, who gets nothing else before the address is confirmed by its link (R216).
create table seal_recipients (
  seal_id uuid primary key references seals on delete cascade,
  email text not null,
  email_key text not null,
  locale text not null check (locale in ('pl', 'en')),
  token_hash bytea not null unique,
  added_at timestamptz not null default portal_now(),
  expires_at timestamptz not null,
  confirmed_at timestamptz,
  -- The last reminder: of which end of the certificate, and how many days before.
  reminded_of timestamptz,
  reminded_step int
);
create index seal_recipients_by_email on seal_recipients (email_key);
