-- An account may begin as a registration: until the link of its mail is used, nobody is found by its names. Any number
-- of registrations may name one e-mail, each with its own data and its own link, so that none can take the name away,
-- or replace or void what another has entered (REG-4, R19).
alter table accounts
  alter column login_key drop not null,
  alter column email_key drop not null,
  -- The e-mail's canonical form until then.
  add column unconfirmed_key text,
  -- Not looked up in the rows there are, which all have names: that would hold the table for long.
  add constraint accounts_named check (
    (login_key is null) = (unconfirmed_key is not null) and (email_key is null) = (unconfirmed_key is not null)
  ) not valid;
create index accounts_unconfirmed on accounts (unconfirmed_key) where unconfirmed_key is not null;
create index accounts_unconfirmed_by_age on accounts (created_at) where unconfirmed_key is not null;

alter table outbox
  drop constraint outbox_channel_check,
  add constraint outbox_channel_check check (channel in ('mail', 'sms', 'password-link', 'registration')) not valid;

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
  wording_sha256 text not null references wordings,
  at timestamptz not null default portal_now()
);
create index consents_by_account on consents (account_id, kind, id desc);
