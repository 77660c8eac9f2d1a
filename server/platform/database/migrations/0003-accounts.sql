-- Accounts of customers: their data, sessions, second factors and consents.

-- An account may begin as a registration: until the link of its mail is used, nobody is found by its names. Any number of
-- registrations may name one e-mail, each with its own data and its own link, so that none can take the name away, or replace or void
-- what another has entered (REG-4, R19).
create table accounts (
  id uuid primary key default gen_random_uuid(),
  -- The provider's own id of the customer.
  provider_id text unique,
  -- As shown; compared by its canonical form: NFKC and lower case, an e-mail's domain in punycode (R19, R26).
  login text not null,
  login_key text unique,
  email text not null,
  email_key text unique,
  -- The e-mail's canonical form until the registration is confirmed.
  unconfirmed_key text,
  -- Encrypted; and a keyed hash, by which the provider finds the customer.
  phone bytea not null,
  phone_index bytea not null,
  -- By a code that its owner entered, or by the word of the provider, who has checked the customer's identity (R115).
  phone_confirmed boolean not null default true,
  first_name text not null,
  second_name text,
  surname text not null,
  locale text not null check (locale in ('pl', 'en')),
  -- null until the first password is set.
  password_hash text,
  -- Hashes of earlier passwords, newest first, so that none of them comes back (PWD-5).
  earlier_hashes text[] not null default '{}',
  -- Set while the account is blocked; only a new password clears it (AUT-4, R12).
  blocked_at timestamptz,
  created_at timestamptz not null default portal_now(),
  -- SIG-5: whether the customer wants the reminders of ending certificates that can be switched off; the last two always come.
  early_reminders boolean not null default true,
  -- The provider changed the e-mail or the phone: until then no reset link is sent (R116).
  resets_from timestamptz,
  -- R118: ten wrong passwords block unknown devices only; known devices and passkeys keep working. Without it, as for the
  -- provider's block, an account is blocked for everyone.
  blocked_for_strangers boolean not null default false,
  -- DSK-26: a customer whose data have to be kept, such as for a court, is not erased.
  held_at timestamptz,
  constraint accounts_named check (
    (login_key is null) = (unconfirmed_key is not null) and (email_key is null) = (unconfirmed_key is not null)
  )
);
create index accounts_unconfirmed on accounts (unconfirmed_key) where unconfirmed_key is not null;
create index accounts_unconfirmed_by_age on accounts (created_at) where unconfirmed_key is not null;
-- The search for a customer.
create index accounts_by_phone on accounts (phone_index, id);
-- The provider's lists name the customer of each row; an index that holds the name spares them a read of the account (decision 0110).
create index accounts_with_customer on accounts (id) include (provider_id);

-- Who a customer is, as the provider has established it (DAT-1). Encrypted as a whole (R83).
create table personal_data (
  account_id uuid primary key references accounts on delete cascade,
  encrypted bytea not null,
  -- A keyed hash, by which the provider finds the customer.
  identifier_index bytea not null
);
create index personal_data_by_identifier on personal_data (identifier_index, account_id);

create table sessions (
  -- SHA-256 of the token in the cookie, which is nowhere kept (R5).
  token_hash bytea primary key,
  id uuid not null unique default gen_random_uuid(),
  account_id uuid not null references accounts on delete cascade,
  -- A pending session has passed the password only and opens nothing but the code entry (R1).
  stage text not null check (stage in ('pending', 'signed-in')),
  started_at timestamptz not null default portal_now(),
  ends_at timestamptz not null,
  absolute_ends_at timestamptz not null,
  used_at timestamptz not null default portal_now(),
  -- Where it began, and with what (AUT-9).
  address text,
  browser text,
  system text,
  -- Looked up when its customer first looks at the list.
  country text
);
create index sessions_by_account on sessions (account_id, started_at desc);
create index sessions_by_end on sessions (ends_at);

-- One fresh second factor for one purpose and object of one session (AUT-7).
create table step_ups (
  session_id uuid references sessions (id) on delete cascade,
  purpose text,
  object uuid,
  confirmed_at timestamptz not null,
  primary key (session_id, purpose, object)
);

-- Codes of text messages (R2, R20 to R25).
create table codes (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts on delete cascade,
  session_id uuid not null references sessions (id) on delete cascade,
  purpose text not null,
  object uuid not null,
  -- HMAC of id, ordinal and code: no code can be recovered from the table (R22).
  code_mac bytea not null,
  entries int not null default 0,
  ordinal int not null default 1,
  sent_at timestamptz not null default portal_now(),
  expires_at timestamptz not null,
  used_at timestamptz
);
create index codes_by_session on codes (session_id);
create index codes_by_account on codes (account_id);
create index codes_by_expiry on codes (expires_at);
-- Codes of sign-ins are found by their session, and written the most often.
create index codes_by_object on codes (object) where purpose <> 'sign-in';

-- Links of mails: one use, newest wins, hash only (R10, R11).
create table links (
  token_hash bytea primary key,
  account_id uuid not null references accounts on delete cascade,
  purpose text not null check (purpose in ('set-up', 'reset', 'lost-phone')),
  created_at timestamptz not null default portal_now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  -- Voided by a newer link, a sign-in, or a change of password or e-mail (R11).
  voided_at timestamptz
);
create index links_by_account on links (account_id);
create index links_by_expiry on links (expires_at);

-- Devices from which an account was signed in, by the SHA-256 of the token in their cookie (R5, R17).
create table devices (
  token_hash bytea primary key,
  account_id uuid not null references accounts on delete cascade,
  expires_at timestamptz not null
);
create index devices_by_account on devices (account_id);
create index devices_by_expiry on devices (expires_at);

-- Keys on the customer's devices that stand in for the SMS code (AUT-8).
create table passkeys (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  -- Encrypted: the customer's own words for the device.
  name bytea not null,
  -- The id that the device gave, and the key that verifies its signatures: neither opens anything.
  credential_id bytea not null unique,
  public_key bytea not null,
  -- The device's signature counter, as the last signature stated it; 0 where the device does not count (WebAuthn §6.1.1).
  counter bigint not null,
  transports text[] not null,
  added_at timestamptz not null default portal_now(),
  used_at timestamptz
);
create index passkeys_by_account on passkeys (account_id, added_at, id);

-- What a device is asked to sign: one a session, purpose and object, and once (R2, R22).
create table passkey_challenges (
  session_id uuid references sessions (id) on delete cascade,
  purpose text,
  object uuid,
  challenge bytea not null,
  expires_at timestamptz not null,
  primary key (session_id, purpose, object)
);

-- A change of the phone number under way (DAT-2). It belongs to one session and ends with it.
create table phone_changes (
  id uuid primary key default gen_random_uuid(),
  session_id uuid not null unique references sessions (id) on delete cascade,
  account_id uuid not null references accounts on delete cascade,
  step text not null default 'document' check (step in ('document', 'email', 'number', 'sms')),
  -- Encrypted: the new number, from the step at which it was entered.
  phone bytea,
  started_at timestamptz not null default portal_now(),
  check ((step = 'sms') = (phone is not null))
);
create index phone_changes_by_account on phone_changes (account_id);

-- What consents were given to, word for word; nothing is ever changed or removed (REG-5).
create table wordings (
  -- SHA-256 of the wording, in hex.
  sha256 text primary key,
  wording text not null
);

-- Each time that somebody gave or withdrew a consent; the portal can only add to it (REG-5).
create table consents (
  id bigint generated always as identity primary key,
  account_id uuid not null references accounts on delete cascade,
  kind text not null check (kind in ('terms', 'privacy', 'marketing')),
  given boolean not null,
  version text not null,
  -- The language in which the wording was shown.
  locale text not null check (locale in ('pl', 'en')),
  wording_sha256 text not null references wordings (sha256),
  at timestamptz not null default portal_now()
);
create index consents_by_account on consents (account_id, kind, id desc);

-- PRV-11: what customers have accepted outside the portal, as the provider has reported it last. What they accept in the portal is in `consents`.
create table reported_acceptances (
  account_id uuid references accounts on delete cascade,
  kind text check (kind in ('terms', 'privacy')),
  -- The day from which the accepted text applies.
  version text not null,
  at timestamptz not null,
  primary key (account_id, kind)
);

-- A file of all that is known of a customer, made in the background and offered for 24 hours (DAT-6). The row goes last of
-- all, with its files: while it is there, whatever a crash has left is found by it.
create table data_exports (
  id uuid primary key,
  account_id uuid not null references accounts,
  locale text not null check (locale in ('pl', 'en')),
  requested_at timestamptz not null default portal_now(),
  -- Every file that was ever begun, in the store under `exports/<name>`: each try writes its own.
  files text[] not null default '{}',
  made_at timestamptz,
  json_file text,
  json_bytes int,
  pdf_file text,
  pdf_bytes int,
  check ((made_at is null) = (json_file is null) and (made_at is null) = (pdf_file is null)),
  check ((made_at is null) = (json_bytes is null) and (made_at is null) = (pdf_bytes is null))
);
create index data_exports_by_account on data_exports (account_id);
create index data_exports_by_age on data_exports (coalesce(made_at, requested_at));

-- CAL: the private address by which programs read a customer’s expiry dates; only a hash of its token (R210).
create table calendar_addresses (
  account_id uuid primary key references accounts on delete cascade,
  token_hash bytea not null unique,
  made_at timestamptz not null default portal_now()
);

-- R87: accounts whose data was erased. What is evidence is held by the account, which has no name any more, until its time is over.
create table erasures (
  account_id uuid primary key references accounts on delete cascade,
  at timestamptz not null default portal_now()
);
create index erasures_by_age on erasures (at);

-- The portal can only add to the consents (REG-5). Of an erased account those to marketing go, and of no other.
create function forget_marketing(erased uuid) returns void language sql security definer set search_path = pg_catalog, public as $$
  delete from consents where account_id = erased and kind = 'marketing' and exists (select from erasures where account_id = erased)
$$;
